import type { MessageState, WaitingMessage } from './reliable-queue.api.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import type { Argument, Reply } from '../../connection/connection.js'
import {
  boolean,
  bytes,
  double,
  integer,
  list,
  safeInteger,
  text,
  unread,
} from '../../command/operation/replies.js'
import { inspectShort } from '../../util/inspect-short.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'

/** What a message says besides its value. */
export interface MessageFacts {
  readonly priority: number
  /** How often it is delivered at most; undefined where the queue decides. */
  readonly maxDeliveries: number | undefined
  /** Empty for none. */
  readonly group: string
  /** What it is deduplicated by; empty for none. */
  readonly dedup: string
  readonly headers: Readonly<Record<string, string>>
}

/** A message as Redis has it. */
export interface StoredMessage {
  readonly id: string
  /** How often its deliveries have failed. */
  readonly failures: number
  readonly facts: MessageFacts
  readonly value: Buffer
}

/** A message that was delivered. */
export interface DeliveredMessage extends StoredMessage {
  readonly token: number
}

/** A message that is not delivered any more. */
export interface DeadMessage extends StoredMessage {
  /** When it has failed last, in milliseconds since 1970. */
  readonly failedAt: number
  readonly reason: string
}

/** A message that was looked for. */
export interface FoundMessage extends StoredMessage {
  readonly state: MessageState
}

/** What a request for messages has delivered. */
export interface Delivered {
  /** In how many milliseconds there may be more without a message of Redis; -1 where that is not known. */
  readonly nextMs: number
  readonly messages: readonly DeliveredMessage[]
}

const NO_FACTS: MessageFacts = Object.freeze({
  priority: 0,
  maxDeliveries: undefined,
  group: '',
  dedup: '',
  headers: Object.freeze({}),
})

/** Reads a list whose items mean different things in turn. */
const items = list(unread)

const END_OF_LINE = 0x0a

/**
 * What stands before the value in a record: a line of numbers, then the texts whose lengths it says. Of a message that has nothing to say, the line is
 * empty.
 */
export function prefixOf({ priority, maxDeliveries, group, dedup, headers }: MessageFacts): Buffer {
  const head = Object.keys(headers).length === 0 ? '' : JSON.stringify(headers)
  if (priority === 0 && maxDeliveries === undefined && group === '' && dedup === '' && head === '')
    return Buffer.from('\n')
  const lengths = [group, dedup, head].map((each) => Buffer.byteLength(each)).join(' ')
  return Buffer.from(`${priority} ${maxDeliveries ?? ''} ${lengths}\n${group}${dedup}${head}`)
}

/** A record: what stands before the value, and the value. */
export function recordOf(prefix: Buffer, value: Argument): Buffer {
  return Buffer.concat([prefix, Buffer.isBuffer(value) ? value : Buffer.from(String(value))])
}

export function delivered(reply: Reply): Delivered {
  const [nextMs, ...rest] = items(reply)
  const messages = groupsOf(rest, 4).map(([id, token, failures, record]) => ({
    ...stored(id, failures, record),
    token: safeInteger(token as Reply),
  }))
  return { nextMs: integer(nextMs as Reply), messages }
}

export function waiting(reply: Reply): StoredMessage[] {
  return groupsOf(items(reply), 3).map(([id, failures, record]) => stored(id, failures, record))
}

export function found(reply: Reply): FoundMessage | undefined {
  const [id, failures, record, state] = items(reply)
  if (id === undefined) return undefined
  return { ...stored(id, failures, record), state: text(state as Reply) as MessageState }
}

export function deadLetters(reply: Reply): DeadMessage[] {
  return groupsOf(items(reply), 5).map(([id, failures, record, failedAt, reason]) => ({
    ...stored(id, failures, record),
    failedAt: double(failedAt as Reply),
    reason: text(reason as Reply),
  }))
}

/** A message that was cancelled while it was worked on. */
export interface Cancelled {
  readonly reason: string
  /** How long its delivery still lasts, in milliseconds. */
  readonly leftMs: number
}

/** Whether a delivery is held; if its message was cancelled, that. */
export function heldOrCancelled(reply: Reply): boolean | Cancelled {
  if (!Buffer.isBuffer(reply)) return boolean(reply)
  const said = reply.toString()
  const at = said.indexOf(' ')
  return { leftMs: Number(said.slice(0, at)), reason: said.slice(at + 1) }
}

function stored(
  id: Reply | undefined,
  failures: Reply | undefined,
  record: Reply | undefined,
): StoredMessage {
  return { id: text(id as Reply), failures: integer(failures as Reply), ...parted(bytes(record as Reply)) }
}

/** @throws {@link UnexpectedReplyError} for what is no record */
function parted(record: Buffer): Pick<StoredMessage, 'facts' | 'value'> {
  const end = record.indexOf(END_OF_LINE)
  if (end === 0) return { facts: NO_FACTS, value: record.subarray(1) }
  const line = /^(-?\d+) (\d*) (\d+) (\d+) (\d+)$/.exec(record.toString('latin1', 0, Math.max(end, 0)))
  if (line === null) throw new UnexpectedReplyError('a message of a reliable queue', record)
  const [priority, most, ...lengths] = line.slice(1)
  let at = end + 1
  const [group = '', dedup = '', head = ''] = lengths.map((length) =>
    record.toString('utf8', at, (at += Number(length))),
  )
  const facts = {
    priority: Number(priority),
    maxDeliveries: most === '' ? undefined : Number(most),
    group,
    dedup,
    headers: head === '' ? NO_FACTS.headers : (JSON.parse(head) as MessageFacts['headers']),
  }
  return { facts, value: record.subarray(at) }
}

function groupsOf(all: readonly Reply[], size: number): (readonly Reply[])[] {
  const groups: (readonly Reply[])[] = []
  for (let at = 0; at < all.length; at += size) groups.push(all.slice(at, at + size))
  return groups
}

/** A message that is read. A value that cannot be read throws when it is asked for, and so hides no other. */
export function readMessage<V>(
  { id, failures, facts, value }: StoredMessage,
  codec: ValueCodec<V>,
): WaitingMessage<V> {
  const { headers, priority, group } = facts
  const read = { id, headers, priority, group: group === '' ? undefined : group, failures }
  try {
    return { ...read, value: codec.decode(value) }
  } catch (error) {
    return {
      ...read,
      get value(): V {
        throw error
      },
    }
  }
}

/** @throws TypeError for what is no id of a message */
export function demandId(id: unknown): void {
  if (typeof id === 'string' && /^\d{16}$/.test(id)) return
  throw new TypeError(`Expected the id of a message to be a text of 16 digits, got ${inspectShort(id)}`)
}
