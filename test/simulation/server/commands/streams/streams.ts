import { CommandError, noSuchKey, syntaxError } from '../../command-error.js'
import { demandCount, demandInteger } from '../../numbers.js'
import { OK, type Bytes, type Reply } from '../../reply.js'
import { demandEnd, demandId, demandStart, FIRST_ID, idText, LAST_ID } from '../../streams/entry-id.js'
import type { Stream, Trimming, WantedId } from '../../streams/stream.js'
import { command, word, type Command, type Context } from '../command.js'
import { readOptions } from '../options.js'
import { shownEntry } from './shown.js'
import { TrimOptions } from './trim-options.js'

export const streams: readonly Command[] = [
  command('xadd', -5, 'grow', add),
  command('xlen', 2, 'read', ({ database }, args) => database.read(word(args, 0), 'stream')?.length ?? 0),
  command('xrange', -4, 'read', (context, args) => range(context, args, false)),
  command('xrevrange', -4, 'read', (context, args) => range(context, args, true)),
  command('xdel', -3, 'write', remove),
  command('xtrim', -4, 'write', trim),
  command('xsetid', -3, 'grow', setId),
]

function add(context: Context, args: readonly Bytes[]): Reply {
  const { server, database, notify } = context
  const key = word(args, 0)
  const { isMade, wanted, trimming, fields } = addition(args.slice(1))
  if (wanted.id === FIRST_ID && wanted.hasSequence)
    throw new CommandError('ERR The ID specified in XADD must be greater than 0-0')
  const present = database.read(key, 'stream')
  if (present === undefined && !isMade) return null
  if (present?.lastId === LAST_ID)
    throw new CommandError('ERR The stream has exhausted the last possible ID, unable to add more items')
  const id = present?.nextId(wanted, server.now)
  if (present !== undefined && id !== undefined && id <= present.lastId)
    throw new CommandError('ERR The ID specified in XADD is equal or smaller than the target stream top item')
  const stream = database.open(key, 'stream')
  const added = id ?? stream.nextId(wanted, server.now)
  stream.add(added, fields)
  database.touched(key)
  notify('t', 'xadd', key)
  if (trimming !== undefined && stream.trim(trimming) > 0) notify('t', 'xtrim', key)
  return idText(added)
}

/** What is to be added, after the key. */
interface Addition {
  /** Whether a stream is made where there is none. */
  readonly isMade: boolean
  readonly wanted: WantedId
  readonly trimming: Trimming | undefined
  readonly fields: readonly Bytes[]
}

function addition(words: readonly Bytes[]): Addition {
  const options = new TrimOptions()
  let [at, isMade] = [0, true]
  for (;;) {
    const taken = options.take(words.slice(at))
    const refusesToMake = taken === 0 && words[at]?.toUpperCase() === 'NOMKSTREAM'
    if (refusesToMake) isMade = false
    else if (taken === 0) break
    at += taken || 1
  }
  const text = words[at]
  const wanted = text === undefined ? { id: undefined, hasSequence: false } : wantedId(text)
  const { trimming } = options
  const fields = words.slice(at + 1)
  if (fields.length < 2 || fields.length % 2 === 1)
    throw new CommandError("ERR wrong number of arguments for 'xadd' command")
  return { isMade, wanted, trimming, fields }
}

function wantedId(text: Bytes): WantedId {
  if (text === '*') return { id: undefined, hasSequence: false }
  const hasSequence = !/^[^-]*-\*$/.test(text)
  return { id: demandId(hasSequence ? text : text.slice(0, -2)), hasSequence }
}

function range({ database }: Context, args: readonly Bytes[], isReversed: boolean): Reply {
  const [start, end] = isReversed ? [word(args, 2), word(args, 1)] : [word(args, 1), word(args, 2)]
  const [from, to] = [demandStart(start), demandEnd(end)]
  let count: number | undefined
  readOptions(args.slice(3), { COUNT: (next) => (count = Math.max(0, demandCount(next()))) })
  const stream = database.read(word(args, 0), 'stream')
  if (stream === undefined) return []
  if (count === 0) return null
  const found = stream.within(from, to)
  return (isReversed ? found.toReversed() : found).slice(0, count).map(shownEntry)
}

function remove({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, ...words] = args as readonly [Bytes, ...Bytes[]]
  const stream = database.read(key, 'stream')
  if (stream === undefined) return 0
  const ids = words.map((text) => demandId(text))
  const removed = ids.filter((id) => stream.delete(id)).length
  if (removed > 0) changed(database, key, () => notify('t', 'xdel', key))
  return removed
}

function trim({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, ...words] = args as readonly [Bytes, ...Bytes[]]
  const options = new TrimOptions()
  for (let at = 0; at < words.length;) {
    const taken = options.take(words.slice(at))
    if (taken === 0) throw syntaxError()
    at += taken
  }
  const trimming = options.demanded
  const stream = database.read(key, 'stream')
  const removed = stream?.trim(trimming) ?? 0
  if (removed > 0) changed(database, key, () => notify('t', 'xtrim', key))
  return removed
}

function changed(database: Context['database'], key: Bytes, notify: () => void): void {
  database.touched(key)
  notify()
}

function setId({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, text] = [word(args, 0), word(args, 1)]
  const id = demandId(text)
  let entriesAdded: bigint | undefined
  let maxDeletedId = FIRST_ID
  readOptions(args.slice(2), {
    ENTRIESADDED: (next) => {
      entriesAdded = demandInteger(next())
      if (entriesAdded < 0n) throw new CommandError('ERR entries_added must be positive')
    },
    MAXDELETEDID: (next) => {
      maxDeletedId = demandId(next())
      if (id < maxDeletedId)
        throw new CommandError(
          'ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id',
        )
    },
  })
  const stream = database.read(key, 'stream')
  if (stream === undefined) throw noSuchKey()
  demandFits(stream, id, entriesAdded)
  stream.lastId = id
  stream.entriesAdded = entriesAdded ?? stream.entriesAdded
  if (maxDeletedId !== FIRST_ID) stream.maxDeletedId = maxDeletedId
  database.amended(key)
  notify('t', 'xsetid', key)
  return OK
}

function demandFits({ length, entries }: Stream, id: bigint, entriesAdded: bigint | undefined): void {
  const top = entries.at(-1)
  if (top !== undefined && id < top.id)
    throw new CommandError('ERR The ID specified in XSETID is smaller than the target stream top item')
  if (length > 0 && entriesAdded !== undefined && entriesAdded < BigInt(length))
    throw new CommandError(
      'ERR The entries_added specified in XSETID is smaller than the target stream length',
    )
}
