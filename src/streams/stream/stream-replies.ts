import type {
  StreamConsumerInfo,
  StreamGroup,
  StreamInfo,
  StreamPendingEntry,
  StreamPendingInfo,
} from './stream-data.api.js'
import {
  bytes,
  exactText,
  integer,
  list,
  nullable,
  pairs,
  safeInteger,
  text,
  tuple,
  unread,
  type Decoder,
} from '../../command/operation/replies.js'
import type { Reply } from '../../connection/connection.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import type { EntryBytes } from '../../collections/map/entry-codec.js'

/** A message as it is in Redis. */
export interface MessageBytes {
  readonly id: string
  readonly fields: readonly EntryBytes[]
}

const idAndFields = tuple(text, nullable(pairs(bytes, bytes)))

/** A message; undefined if it is pending, and was removed from the stream. */
const messageIfAny: Decoder<MessageBytes | undefined> = (reply) => {
  if (reply === null) return undefined
  const [id, fields] = idAndFields(reply)
  return fields && { id, fields }
}

const all = list(messageIfAny)

/** The messages that are there. */
export const messages: Decoder<MessageBytes[]> = (reply) => all(reply).filter((each) => each !== undefined)

const byStream = nullable(pairs(text, messages))

/** The messages of one stream, if it has any. */
export const messagesOfOne: Decoder<MessageBytes[]> = (reply) => byStream(reply)?.[0]?.[1] ?? []

export const ids = list(text)

const claimedMessages = tuple(text, messages)
const claimedIds = tuple(text, ids)

/** What was claimed of some messages, where the search goes on, and which messages are gone. */
export function claimed<T>(
  kind: 'messages' | 'ids',
  read: Decoder<T>,
): Decoder<readonly [string, T, string[]]> {
  const first = (kind === 'messages' ? claimedMessages : claimedIds) as Decoder<readonly [string, unknown]>
  return (reply) => {
    const [next] = first(reply)
    const [, items, deleted] = reply as readonly Reply[]
    return [next, read(items as Reply), deleted === undefined ? [] : ids(deleted)]
  }
}

const pendingByConsumer = nullable(pairs(exactText, safeInteger))

/** How much is pending at whom. */
export const pendingInfo: Decoder<StreamPendingInfo> = (reply) => {
  const [total, lowestId, highestId, consumers] = tuple(
    integer,
    nullable(text),
    nullable(text),
    pendingByConsumer,
  )(reply)
  return { total, lowestId, highestId, consumers: new Map(consumers) }
}

export const pendingEntries: Decoder<StreamPendingEntry[]> = list((reply) => {
  const [id, consumer, idleMs, deliveries] = tuple(text, exactText, integer, integer)(reply)
  return { id, consumer, idleMs, deliveries }
})

/** A delivery: the message, and how often it was delivered. */
export interface Delivered extends MessageBytes {
  readonly deliveries: number
}

const delivered = list(tuple(messageIfAny, integer))

/** Deliveries, and messages that were delivered too often. */
export interface Taken {
  readonly deliveries: readonly Delivered[]
  readonly dead: readonly Pick<Delivered, 'id' | 'deliveries'>[]
}

const dead = list(tuple(text, integer))

export const taken: Decoder<Taken> = (reply) => {
  const [found, tooMany] = tuple(delivered, dead)(reply)
  return {
    deliveries: found.flatMap(([message, deliveries]) => (message ? [{ ...message, deliveries }] : [])),
    dead: tooMany.map(([id, deliveries]) => ({ id, deliveries })),
  }
}

const fieldsOf = pairs(text, unread)

/** What Redis says of something, by name. */
function facts(reply: Reply): (name: string) => Reply {
  const read = new Map(fieldsOf(reply))
  return (name) => read.get(name) ?? null
}

/** What Redis says of a stream, with its messages as they are in Redis. */
export interface InfoBytes extends Omit<StreamInfo<never, never>, 'firstEntry' | 'lastEntry'> {
  readonly firstEntry: MessageBytes | undefined
  readonly lastEntry: MessageBytes | undefined
}

export const info: Decoder<InfoBytes | undefined> = nullable((reply) => {
  const of = facts(reply)
  return {
    length: integer(of('length')),
    radixTreeKeys: integer(of('radix-tree-keys')),
    radixTreeNodes: integer(of('radix-tree-nodes')),
    groups: integer(of('groups')),
    lastGeneratedId: text(of('last-generated-id')),
    firstEntry: messageIfAny(of('first-entry')),
    lastEntry: messageIfAny(of('last-entry')),
  }
})

export const groups: Decoder<StreamGroup[]> = list((reply) => {
  const of = facts(reply)
  return {
    name: exactText(of('name')),
    consumers: integer(of('consumers')),
    pending: integer(of('pending')),
    lastDeliveredId: text(of('last-delivered-id')),
    entriesRead: nullable(integer)(of('entries-read')),
    lag: nullable(integer)(of('lag')),
  }
})

export const consumers: Decoder<StreamConsumerInfo[]> = list((reply) => {
  const of = facts(reply)
  const inactiveMs = nullable(integer)(of('inactive'))
  return {
    name: exactText(of('name')),
    pending: integer(of('pending')),
    idleMs: integer(of('idle')),
    inactiveMs: inactiveMs === undefined || inactiveMs < 0 ? undefined : inactiveMs,
  }
})

/** Something was done, however much of it. */
export const done: Decoder<undefined> = (reply) => {
  if (typeof reply === 'string' || typeof reply === 'number') return undefined
  throw new UnexpectedReplyError('a number', reply)
}
