import { CommandError, syntaxError } from '../../command-error.js'
import { demandCount } from '../../numbers.js'
import type { Bytes, Reply } from '../../reply.js'
import { demandId, FIRST_ID, idText, LAST_ID, type EntryId } from '../../streams/entry-id.js'
import { noteRead } from '../../streams/entries-read.js'
import type { StreamGroup } from '../../streams/stream-group.js'
import type { Stream } from '../../streams/stream.js'
import { command, word, type Command, type Context } from '../command.js'
import { shownEntry } from './shown.js'
import { consumerOf, demandGroup } from './stream-groups.js'

export const streamReading: readonly Command[] = [
  command('xread', -4, 'read', read),
  command('xreadgroup', -7, 'write', readGroup),
]

/** What is read of streams, as a command says it. */
interface Reading {
  readonly streams: readonly (readonly [key: Bytes, after: Bytes])[]
  /** How many entries of each; any number if undefined. */
  readonly count: number | undefined
  readonly group: readonly [name: Bytes, consumer: Bytes] | undefined
  readonly isAcknowledged: boolean
}

/** What is read of one stream. */
type Found = readonly [key: Bytes, entries: readonly Reply[]]

function read(context: Context, args: readonly Bytes[]): Reply {
  const { streams, count } = readingOf('XREAD', args)
  const asked = streams.map(([key, after]) => {
    const stream = context.database.read(key, 'stream')
    return { key, stream, after: afterOf(after, stream) }
  })
  const found = asked.map(({ key, stream, after }): Found => {
    const entries = after === LAST_ID ? [] : (stream?.within(after + 1n) ?? [])
    return [key, entries.slice(0, count).map(shownEntry)]
  })
  return orNothing(found.filter(([, entries]) => entries.length > 0))
}

function afterOf(text: Bytes, stream: Stream | undefined): EntryId {
  if (text === '$') return stream?.lastId ?? FIRST_ID
  if (text === '>')
    throw new CommandError(
      'ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.',
    )
  return demandId(text)
}

function readGroup(context: Context, args: readonly Bytes[]): Reply {
  const { streams, group: names, ...reading } = readingOf('XREADGROUP', args)
  if (names === undefined) throw new CommandError('ERR Missing GROUP option for XREADGROUP')
  const [name, consumer] = names
  const asked = streams.map(([key, after]) => {
    const group = demandGroup(context, key, name, ' in XREADGROUP with GROUP option')
    return { key, group, consumer, after: afterOfGroup(after), ...reading }
  })
  return orNothing(asked.flatMap((each) => readOf(context, each)))
}

/** A place in the history of a consumer; undefined for what no consumer has got. */
function afterOfGroup(text: Bytes): EntryId | undefined {
  if (text === '$')
    throw new CommandError(
      'ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set.',
    )
  const after = text === '>' ? LAST_ID : demandId(text)
  return after === LAST_ID ? undefined : after
}

interface GroupReading extends Pick<Reading, 'count' | 'isAcknowledged'> {
  readonly key: Bytes
  readonly group: StreamGroup
  readonly consumer: Bytes
  readonly after: EntryId | undefined
}

/** Reads one stream for a group. The history is there even if nothing is in it. */
function readOf(context: Context, reading: GroupReading): readonly Found[] {
  const { database } = context
  const { key, group, count, after } = reading
  const stream = database.read(key, 'stream') as Stream
  const unread = after === undefined ? stream.within(group.lastId + 1n).slice(0, count) : []
  if (after === undefined && unread.length === 0) return []
  const consumer = consumerOf(context, { key, group, name: reading.consumer })
  database.amended(key)
  if (after !== undefined) {
    const own = group.pendingAt(consumer).filter(({ id }) => id > after)
    return [[key, own.slice(0, count).map((pending) => again(context, stream, pending))]]
  }
  for (const { id } of unread) {
    noteRead(stream, group, id)
    if (!reading.isAcknowledged) group.deliver(id, consumer, context.server.now)
  }
  return [[key, unread.map(shownEntry)]]
}

/** Delivers an entry once more. Of one that was removed there is only the id. */
function again({ server }: Context, stream: Stream, pending: ReturnType<StreamGroup['deliver']>): Reply {
  const entry = stream.find(pending.id)
  if (entry === undefined) return [idText(pending.id), null]
  pending.deliveredAt = server.now
  pending.deliveries += 1
  return shownEntry(entry)
}

function orNothing(found: readonly Found[]): Reply {
  return found.length > 0 ? found : null
}

/** Reads the words of a command, which end with keys and as many ids. */
function readingOf(name: 'XREAD' | 'XREADGROUP', args: readonly Bytes[]): Reading {
  let count = 0
  let isAcknowledged = false
  let group: Reading['group']
  for (let at = 0; at < args.length; at += 1) {
    const left = args.length - at - 1
    const option = word(args, at).toUpperCase()
    if (option === 'STREAMS' && left > 0) {
      const streams = streamsOf(args.slice(at + 1))
      return { streams, count: count > 0 ? count : undefined, group, isAcknowledged }
    }
    if (option === 'COUNT' && left > 0) count = demandCount(word(args, (at += 1)))
    else if (option === 'BLOCK' && left > 0) throw new CommandError('ERR BLOCK is not simulated')
    else if (option === 'GROUP' && left > 1) {
      demandForGroups(name, option)
      group = [word(args, at + 1), word(args, at + 2)]
      at += 2
    } else if (option === 'NOACK') {
      demandForGroups(name, option)
      isAcknowledged = true
    } else throw syntaxError()
  }
  throw syntaxError()
}

function demandForGroups(name: Bytes, option: Bytes): void {
  if (name === 'XREAD')
    throw new CommandError(
      `ERR The ${option} option is only supported by XREADGROUP. You called XREAD instead.`,
    )
}

function streamsOf(words: readonly Bytes[]): Reading['streams'] {
  if (words.length % 2 === 1)
    throw new CommandError(
      "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.",
    )
  const half = words.length / 2
  return words.slice(0, half).map((key, n) => [key, word(words, half + n)])
}
