import type { Bytes } from '../reply.js'
import { Stream } from './stream.js'

/** A stream as JSON has it: numbers of many digits are texts. */
export interface PlainStream {
  readonly lastId: string
  readonly maxDeletedId: string
  readonly entriesAdded: string
  readonly nodes: readonly {
    readonly entries: readonly (readonly [id: string, fields: readonly Bytes[]])[]
    readonly removed: number
    readonly lastId: string
  }[]
  readonly groups: readonly {
    readonly name: Bytes
    readonly lastId: string
    readonly entriesRead: string | null
    readonly consumers: readonly (readonly [name: Bytes, seenAt: number])[]
    readonly pending: readonly (readonly [id: string, name: Bytes, deliveredAt: number, deliveries: number])[]
  }[]
}

export function plainStream(stream: Stream): PlainStream {
  return {
    lastId: String(stream.lastId),
    maxDeletedId: String(stream.maxDeletedId),
    entriesAdded: String(stream.entriesAdded),
    nodes: stream.nodes.map(({ entries, removed, lastId }) => ({
      entries: entries.map(({ id, fields }) => [String(id), fields]),
      removed,
      lastId: String(lastId),
    })),
    groups: stream.groups.map(([name, { lastId, entriesRead, consumers, pending }]) => ({
      name,
      lastId: String(lastId),
      entriesRead: entriesRead === undefined ? null : String(entriesRead),
      consumers: consumers.map(({ name, seenAt }) => [name, seenAt]),
      pending: pending.map(({ id, consumer, deliveredAt, deliveries }) => [
        String(id),
        consumer.name,
        deliveredAt,
        deliveries,
      ]),
    })),
  }
}

export function streamOf(plain: PlainStream): Stream {
  const stream = new Stream()
  stream.lastId = BigInt(plain.lastId)
  stream.maxDeletedId = BigInt(plain.maxDeletedId)
  stream.entriesAdded = BigInt(plain.entriesAdded)
  for (const { entries, removed, lastId } of plain.nodes)
    stream.addNode({
      entries: entries.map(([id, fields]) => ({ id: BigInt(id), fields })),
      removed,
      lastId: BigInt(lastId),
    })
  for (const each of plain.groups) addGroup(stream, each)
  return stream
}

function addGroup(stream: Stream, plain: PlainStream['groups'][number]): void {
  const { name, lastId, entriesRead } = plain
  const group = stream.createGroup(
    name,
    BigInt(lastId),
    entriesRead === null ? undefined : BigInt(entriesRead),
  )
  for (const [consumer, seenAt] of plain.consumers) group.createConsumer(consumer, seenAt)
  for (const [id, consumer, deliveredAt, deliveries] of plain.pending)
    group.restore({
      id: BigInt(id),
      consumer: group.consumer(consumer) ?? group.createConsumer(consumer, deliveredAt),
      deliveredAt,
      deliveries,
    })
}
