import { CommandError, syntaxError } from '../../command-error.js'
import { demandCount, demandInteger } from '../../numbers.js'
import type { Bytes, Reply } from '../../reply.js'
import { demandEnd, demandId, demandStart, FIRST_ID, idText, type EntryId } from '../../streams/entry-id.js'
import type { Pending, StreamGroup } from '../../streams/stream-group.js'
import type { Stream } from '../../streams/stream.js'
import { command, word, type Command, type Context } from '../command.js'
import { readOptions } from '../options.js'
import { shownEntry } from './shown.js'
import { consumerOf, demandGroup } from './stream-groups.js'

export const streamPending: readonly Command[] = [
  command('xpending', -3, 'read', (context, args) =>
    args.length === 2 ? summary(context, args) : list(context, args),
  ),
  command('xclaim', -6, 'write', claim),
  command('xautoclaim', -6, 'write', autoClaim),
]

function summary(context: Context, args: readonly Bytes[]): Reply {
  const group = demandGroup(context, word(args, 0), word(args, 1))
  const { pending, consumers } = group
  const [first, last] = [pending[0], pending.at(-1)]
  if (first === undefined || last === undefined) return [0, null, null, null]
  const counts = consumers.map(({ name }) => [
    name,
    pending.filter((each) => each.consumer.name === name).length,
  ])
  const shown = counts
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => [name as Bytes, String(count)])
  return [pending.length, idText(first.id), idText(last.id), shown]
}

function list(context: Context, args: readonly Bytes[]): Reply {
  if (args.length < 5 || args.length > 8) throw syntaxError()
  const hasIdle = word(args, 2).toUpperCase() === 'IDLE'
  const idleMs = hasIdle ? demandCount(word(args, 3)) : 0
  if (hasIdle && args.length < 7) throw syntaxError()
  const [start = '', end = '', most = '', name] = args.slice(hasIdle ? 4 : 2)
  const count = Math.max(0, demandCount(most))
  const [from, to] = [demandStart(start), demandEnd(end)]
  const group = demandGroup(context, word(args, 0), word(args, 1))
  const { now } = context.server
  return pendingOf(group, name)
    .filter(({ id, deliveredAt }) => id >= from && id <= to && isIdle(now - deliveredAt, idleMs))
    .slice(0, count)
    .map(({ id, consumer, deliveredAt, deliveries }) => [
      idText(id),
      consumer.name,
      Math.max(0, now - deliveredAt),
      deliveries,
    ])
}

function isIdle(idle: number, leastMs: number): boolean {
  return leastMs === 0 || idle >= leastMs
}

function pendingOf(group: StreamGroup, name: Bytes | undefined): readonly Pending[] {
  if (name === undefined) return group.pending
  const consumer = group.consumer(name)
  return consumer === undefined ? [] : group.pendingAt(consumer)
}

/** What becomes of entries that are claimed. */
interface Claim {
  readonly key: Bytes
  readonly stream: Stream
  readonly group: StreamGroup
  readonly consumer: Bytes
  /** For how long they have to be pending. */
  readonly idleMs: number
  readonly deliveredAt: number
  /** How often they count as delivered; undefined for once more. */
  readonly deliveries: number | undefined
  /** Whether only their ids are wanted. They do not count as delivered once more then. */
  readonly justId: boolean
}

/** Gives a pending entry to a consumer. Returns nothing if it is not idle for long enough. */
function take(context: Context, claim: Claim, pending: Pending): Reply | undefined {
  const { key, stream, group, justId } = claim
  const { now } = context.server
  if (!isIdle(now - pending.deliveredAt, claim.idleMs)) return undefined
  pending.consumer = consumerOf(context, { key, group, name: claim.consumer })
  pending.deliveredAt = claim.deliveredAt
  pending.deliveries = claim.deliveries ?? pending.deliveries + (justId ? 0 : 1)
  context.database.amended(key)
  const entry = stream.find(pending.id)
  return justId || entry === undefined ? idText(pending.id) : shownEntry(entry)
}

/** An entry that is no longer in the stream is no longer pending. Returns whether it was. */
function drop({ database }: Context, { key, group }: Claim, id: EntryId): boolean {
  const wasPending = group.settle(id)
  if (wasPending) database.amended(key)
  return wasPending
}

function claim(context: Context, args: readonly Bytes[]): Reply {
  const { server, database } = context
  const [key, name, consumer, idle] = args as readonly [Bytes, Bytes, Bytes, Bytes]
  const group = demandGroup(context, key, name)
  const idleMs = leastIdle(idle, 'XCLAIM')
  const ids = idsOf(args.slice(4))
  const { force, lastId, ...options } = claimOptions(args.slice(4 + ids.length), server.now)
  if (lastId > group.lastId) {
    group.lastId = lastId
    database.amended(key)
  }
  const stream = database.read(key, 'stream') as Stream
  const claim: Claim = { key, stream, group, consumer, idleMs, ...options }
  return ids.flatMap((id) => {
    if (stream.find(id) === undefined) drop(context, claim, id)
    const found = group.find(id)
    if (found !== undefined) return taken(take(context, claim, found))
    if (!force || stream.find(id) === undefined) return []
    const owner = consumerOf(context, { key, group, name: consumer })
    return taken(take(context, { ...claim, idleMs: 0 }, group.deliver(id, owner, server.now)))
  })
}

function taken(reply: Reply | undefined): readonly Reply[] {
  return reply === undefined ? [] : [reply]
}

function leastIdle(text: Bytes, name: Bytes): number {
  const invalid = () => new CommandError(`ERR Invalid min-idle-time argument for ${name}`)
  return Math.max(0, Number(demandInteger(text, invalid)))
}

/** The ids that words begin with. Options follow. */
function idsOf(words: readonly Bytes[]): readonly EntryId[] {
  const ids: EntryId[] = []
  for (const text of words)
    try {
      ids.push(demandId(text))
    } catch {
      break
    }
  return ids
}

interface ClaimOptions extends Pick<Claim, 'deliveredAt' | 'deliveries' | 'justId'> {
  readonly force: boolean
  readonly lastId: EntryId
}

function claimOptions(words: readonly Bytes[], now: number): ClaimOptions {
  let [force, justId, lastId] = [false, false, FIRST_ID]
  let [deliveredAt, retries] = [-1, -1]
  for (let at = 0; at < words.length; at += 1) {
    const option = word(words, at)
    const name = option.toUpperCase()
    const value = words[at + 1]
    const invalid = () => new CommandError(`ERR Invalid ${name} option argument for XCLAIM`)
    const number = (text: Bytes) => Number(demandInteger(text, invalid))
    if (name === 'FORCE') force = true
    else if (name === 'JUSTID') justId = true
    else if (value === undefined) throw unknownOption(option)
    else {
      if (name === 'IDLE') deliveredAt = now - number(value)
      else if (name === 'TIME') deliveredAt = number(value)
      else if (name === 'RETRYCOUNT') retries = number(value)
      else if (name === 'LASTID') lastId = demandId(value)
      else throw unknownOption(option)
      at += 1
    }
  }
  const isPast = deliveredAt >= 0 && deliveredAt <= now
  const deliveries = retries < 0 ? undefined : retries
  return { force, justId, lastId, deliveredAt: isPast ? deliveredAt : now, deliveries }
}

function unknownOption(option: Bytes): CommandError {
  return new CommandError(`ERR Unrecognized XCLAIM option '${option}'`)
}

/** How many entries are looked at for each that may be claimed. */
const ATTEMPTS = 10

function autoClaim(context: Context, args: readonly Bytes[]): Reply {
  const { server, database } = context
  const [key, name, consumer, idle, start] = args as readonly [Bytes, Bytes, Bytes, Bytes, Bytes]
  const idleMs = leastIdle(idle, 'XAUTOCLAIM')
  const from = demandStart(start)
  let [most, justId] = [100, false]
  readOptions(args.slice(5), {
    COUNT: (next) => (most = countToClaim(next())),
    JUSTID: () => (justId = true),
  })
  const group = demandGroup(context, key, name)
  const stream = database.read(key, 'stream') as Stream
  const claim = {
    key,
    stream,
    group,
    consumer,
    idleMs,
    deliveredAt: server.now,
    deliveries: undefined,
    justId,
  }
  const pending = group.pending.filter(({ id }) => id >= from)
  const [claimed, deleted]: [Reply[], Bytes[]] = [[], []]
  let at = 0
  for (; at < most * ATTEMPTS && claimed.length + deleted.length < most; at += 1) {
    const next = pending[at]
    if (next === undefined) break
    const isThere = stream.find(next.id) !== undefined
    if (isThere) claimed.push(...taken(take(context, claim, next)))
    else if (drop(context, claim, next.id)) deleted.push(idText(next.id))
  }
  return [idText(pending[at]?.id ?? FIRST_ID), claimed, deleted]
}

/** So many ids would not fit in memory. */
const TOO_MANY = 2n ** 59n

function countToClaim(text: Bytes): number {
  const invalid = () => new CommandError('ERR COUNT must be > 0')
  const count = demandInteger(text, invalid)
  if (count < 1n || count >= TOO_MANY) throw invalid()
  return Number(count)
}
