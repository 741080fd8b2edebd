import { CommandError, syntaxError } from '../command-error.js'
import { add, demandLongDouble, longDoubleText } from '../long-double.js'
import { compact, demandInteger, sumOf } from '../numbers.js'
import { OK, type Bytes, type Reply } from '../reply.js'
import { isBackward, MOST_BYTES, rangeOf } from './bits.js'
import { command, pairsOf, word, type Command, type Context } from './command.js'
import { setExpiry, expiryOf, UNITS, type Unit } from './expiry.js'
import { readOptions } from './options.js'

export const strings: readonly Command[] = [
  command('get', 2, 'read', ({ database }, args) => database.read(word(args, 0), 'string') ?? null),
  command('strlen', 2, 'read', ({ database }, args) => database.read(word(args, 0), 'string')?.length ?? 0),
  command('mget', -2, 'read', ({ database }, args) =>
    args.map((key) => {
      const entry = database.use(key)
      return entry?.type === 'string' ? (entry.value as Bytes) : null
    }),
  ),
  command('set', -3, 'grow', set),
  command('setnx', 3, 'grow', (context, args) => {
    if (context.database.find(word(args, 0)) !== undefined) return 0
    write(context, word(args, 0), word(args, 1))
    return 1
  }),
  command('mset', -3, 'grow', (context, args) => {
    if (args.length % 2 === 1) throw new CommandError("ERR wrong number of arguments for 'mset' command")
    for (const [key, value] of pairsOf(args)) write(context, key, value)
    return OK
  }),
  command('append', 3, 'grow', ({ database, notify }, args) => {
    const key = word(args, 0)
    const value = (database.read(key, 'string') ?? '') + word(args, 1)
    database.put(key, { type: 'string', value, expireAt: database.find(key)?.expireAt })
    notify('$', 'append', key)
    return value.length
  }),
  command('getrange', 4, 'read', ({ database }, [key = '', ...ends]) => {
    const isEmpty = isBackward(ends)
    const value = database.read(key, 'string') ?? ''
    const range = isEmpty ? undefined : rangeOf(value.length, ends)
    return range === undefined ? '' : value.slice(range[0], range[1] + 1)
  }),
  command('setrange', 4, 'grow', setRange),
  command('getdel', 2, 'write', ({ database, notify }, args) => {
    const key = word(args, 0)
    const value = database.read(key, 'string')
    if (value === undefined) return null
    database.remove(key)
    notify('g', 'del', key)
    return value
  }),
  command('getset', 3, 'grow', (context, args) => {
    const present = context.database.read(word(args, 0), 'string') ?? null
    write(context, word(args, 0), word(args, 1))
    return present
  }),
  command('getex', -2, 'write', getex),
  command('incr', 2, 'grow', (context, args) => count(context, word(args, 0), 1n)),
  command('decr', 2, 'grow', (context, args) => count(context, word(args, 0), -1n)),
  command('incrby', 3, 'grow', (context, args) =>
    count(context, word(args, 0), demandInteger(word(args, 1))),
  ),
  command('decrby', 3, 'grow', (context, args) => {
    const by = demandInteger(word(args, 1))
    if (by === -(2n ** 63n)) throw new CommandError('ERR decrement would overflow')
    return count(context, word(args, 0), -by)
  }),
  command('incrbyfloat', 3, 'grow', ({ database, notify }, args) => {
    const key = word(args, 0)
    const present = demandLongDouble(database.read(key, 'string') ?? '0')
    const value = longDoubleText(add(present, demandLongDouble(word(args, 1))))
    database.put(key, { type: 'string', value, expireAt: database.find(key)?.expireAt })
    notify('$', 'incrbyfloat', key)
    return value
  }),
  command('lcs', -3, 'read', lcs),
]

function write({ database, notify }: Context, key: Bytes, value: Bytes): void {
  database.put(key, { type: 'string', value })
  notify('$', 'set', key)
}

/** Writes over a part of a string. What is missing before that is filled with zeros. */
function setRange({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, written] = [word(args, 0), word(args, 2)]
  const from = demandInteger(word(args, 1))
  if (from < 0n) throw new CommandError('ERR offset is out of range')
  const present = database.read(key, 'string') ?? ''
  if (written === '') return present.length
  if (from + BigInt(written.length) > MOST_BYTES)
    throw new CommandError('ERR string exceeds maximum allowed size (proto-max-bulk-len)')
  const start = Number(from)
  const value = present.slice(0, start).padEnd(start, '\0') + written + present.slice(start + written.length)
  database.put(key, { type: 'string', value, expireAt: database.find(key)?.expireAt })
  notify('$', 'setrange', key)
  return value.length
}

/** When a key expires, as a command says. */
interface Ending {
  readonly text: Bytes
  readonly unit: Unit
}

/** Handlers for the words that set when a key expires. */
function endings(choose: (ending: Ending) => void): Record<string, (next: () => Bytes) => void> {
  return Object.fromEntries(
    Object.entries(UNITS).map(([name, unit]) => [
      name,
      (next: () => Bytes) => {
        choose({ text: next(), unit })
      },
    ]),
  )
}

const SET_FLAGS = ['NX', 'XX', 'GET', 'KEEPTTL']

function set({ server, database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, value] = [word(args, 0), word(args, 1)]
  const flags = new Set<string>()
  let ending: Ending | undefined
  readOptions(args.slice(2), {
    ...Object.fromEntries(SET_FLAGS.map((name) => [name, () => void flags.add(name)])),
    ...endings((each) => {
      if (ending !== undefined) throw syntaxError()
      ending = each
    }),
  })
  if (flags.has('NX') && flags.has('XX')) throw syntaxError()
  if (flags.has('KEEPTTL') && ending !== undefined) throw syntaxError()
  const given =
    ending && expiryOf(ending.text, ending.unit, { now: server.now, command: 'set', isAhead: true })

  const before = flags.has('GET') ? (database.read(key, 'string') ?? null) : undefined
  const present = database.find(key)
  const isRefused = present === undefined ? flags.has('XX') : flags.has('NX')
  if (isRefused) return before ?? null
  const expireAt = flags.has('KEEPTTL') ? present?.expireAt : given
  database.put(key, { type: 'string', value, expireAt })
  notify('$', 'set', key)
  if (given !== undefined) notify('g', 'expire', key)
  return before === undefined ? OK : before
}

function getex(context: Context, args: readonly Bytes[]): Reply {
  const { server, database, notify } = context
  const key = word(args, 0)
  let chosen: Ending | 'never' | undefined
  const choose = (option: Ending | 'never') => {
    if (chosen !== undefined) throw syntaxError()
    chosen = option
  }
  const never = () => {
    choose('never')
  }
  readOptions(args.slice(1), { ...endings(choose), PERSIST: never })
  const value = database.read(key, 'string')
  if (value === undefined || chosen === undefined) return value ?? null
  if (chosen === 'never') {
    if (database.find(key)?.expireAt === undefined) return value
    database.expireAt(key, undefined)
    notify('g', 'persist', key)
    return value
  }
  const time = expiryOf(chosen.text, chosen.unit, { now: server.now, command: 'getex', isAhead: true })
  setExpiry(context, key, time)
  return value
}

function count({ database, notify }: Context, key: Bytes, by: bigint): Reply {
  const sum = sumOf(demandInteger(database.read(key, 'string') ?? '0'), by)
  database.put(key, { type: 'string', value: String(sum), expireAt: database.find(key)?.expireAt })
  notify('$', 'incrby', key)
  return compact(sum)
}

/** The longest common subsequence of two strings, or how long it is. */
function lcs({ database }: Context, args: readonly Bytes[]): Reply {
  const wanted = { length: false }
  readOptions(args.slice(2), { LEN: () => (wanted.length = true) })
  const [one, other] = [0, 1].map((at) => {
    const entry = database.find(word(args, at))
    if (entry !== undefined && entry.type !== 'string')
      throw new CommandError('ERR The specified keys must contain string values')
    return (entry?.value ?? '') as Bytes
  }) as [Bytes, Bytes]
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0))
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = 1; i <= one.length; i += 1)
    for (let j = 1; j <= other.length; j += 1)
      (lengths[i] as number[])[j] =
        one[i - 1] === other[j - 1]
          ? lengthAt(i - 1, j - 1) + 1
          : Math.max(lengthAt(i - 1, j), lengthAt(i, j - 1))
  if (wanted.length) return lengthAt(one.length, other.length)
  let common = ''
  for (let [i, j] = [one.length, other.length]; i > 0 && j > 0;) {
    if (one[i - 1] === other[j - 1]) {
      common = (one[i - 1] ?? '') + common
      i -= 1
      j -= 1
    } else if (lengthAt(i - 1, j) > lengthAt(i, j - 1)) i -= 1
    else j -= 1
  }
  return common
}
