import { CommandError, syntaxError } from '../command-error.js'
import { demandCount } from '../numbers.js'
import { OK, type Bytes, type Reply } from '../reply.js'
import { boundsOf } from './bounds.js'
import { command, word, type Command, type Context } from './command.js'
import { readOptions } from './options.js'

export const lists: readonly Command[] = [
  command('llen', 2, 'read', (context, args) => listAt(context, args).length),
  command(
    'lindex',
    3,
    'read',
    (context, args) => listAt(context, args).at(demandCount(word(args, 1))) ?? null,
  ),
  command('lrange', 4, 'read', (context, args) => {
    const list = listAt(context, args)
    const [from, to] = boundsOf(list.length, word(args, 1), word(args, 2))
    return list.slice(from, to)
  }),
  command('rpush', -3, 'grow', (context, args) => push(context, args, 'rpush')),
  command('lpush', -3, 'grow', (context, args) => push(context, args, 'lpush')),
  command('lpop', 2, 'write', (context, args) => pop(context, word(args, 0), 'lpop')),
  command('rpop', 2, 'write', (context, args) => pop(context, word(args, 0), 'rpop')),
  command('rpushx', -3, 'grow', (context, args) => pushIfExists(context, args, 'rpush')),
  command('lpushx', -3, 'grow', (context, args) => pushIfExists(context, args, 'lpush')),
  command('rpoplpush', 3, 'grow', (context, args) => move(context, args, 'rpop', 'lpush')),
  command('lmove', 5, 'grow', (context, args) => {
    const [from, to] = [sideOf(word(args, 2)), sideOf(word(args, 3))]
    return move(context, args, `${from}pop`, `${to}push`)
  }),
  command('lset', 4, 'grow', set),
  command('linsert', 5, 'grow', insert),
  command('ltrim', 4, 'write', trim),
  command('lrem', 4, 'write', remove),
  command('lpos', -3, 'read', positions),
]

function listAt({ database }: Context, args: readonly Bytes[]): Bytes[] {
  return database.read(word(args, 0), 'list') ?? []
}

function push({ database, notify }: Context, args: readonly Bytes[], name: 'rpush' | 'lpush'): Reply {
  const key = word(args, 0)
  const list = database.open(key, 'list')
  if (name === 'rpush') list.push(...args.slice(1))
  else list.unshift(...args.slice(1).toReversed())
  database.touched(key)
  notify('l', name, key)
  return list.length
}

function pop({ database, notify }: Context, key: Bytes, name: 'lpop' | 'rpop'): Reply {
  const list = database.read(key, 'list')
  if (list === undefined) return null
  const value = name === 'lpop' ? list.shift() : list.pop()
  notify('l', name, key)
  if (database.touched(key)) notify('g', 'del', key)
  return value ?? null
}

function pushIfExists(context: Context, args: readonly Bytes[], name: 'rpush' | 'lpush'): Reply {
  return listAt(context, args).length === 0 ? 0 : push(context, args, name)
}

function sideOf(side: Bytes): 'l' | 'r' {
  const sides: Readonly<Record<string, 'l' | 'r'>> = { LEFT: 'l', RIGHT: 'r' }
  const found = sides[side.toUpperCase()]
  if (found === undefined) throw syntaxError()
  return found
}

/** Moves one element to a list, which may be the same one. */
function move(
  { database, notify }: Context,
  args: readonly Bytes[],
  from: 'lpop' | 'rpop',
  to: 'lpush' | 'rpush',
): Reply {
  const [source, target] = [word(args, 0), word(args, 1)]
  const list = database.read(source, 'list')
  if (list === undefined) return null
  database.read(target, 'list') // refuses what is no list
  const value = (from === 'lpop' ? list.shift() : list.pop()) as Bytes
  const moved = database.open(target, 'list')
  if (to === 'rpush') moved.push(value)
  else moved.unshift(value)
  database.touched(target)
  notify('l', to, target)
  notify('l', from, source)
  if (database.touched(source)) notify('g', 'del', source)
  return value
}

function set({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 0)
  const list = database.read(key, 'list')
  if (list === undefined) throw new CommandError('ERR no such key')
  const index = demandCount(word(args, 1))
  const place = index < 0 ? list.length + index : index
  if (place < 0 || place >= list.length) throw new CommandError('ERR index out of range')
  list[place] = word(args, 2)
  database.touched(key)
  notify('l', 'lset', key)
  return OK
}

function insert({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const side = word(args, 1).toUpperCase()
  if (side !== 'BEFORE' && side !== 'AFTER') throw syntaxError()
  const key = word(args, 0)
  const list = database.read(key, 'list')
  if (list === undefined) return 0
  const found = list.indexOf(word(args, 2))
  if (found < 0) return -1
  list.splice(side === 'AFTER' ? found + 1 : found, 0, word(args, 3))
  database.touched(key)
  notify('l', 'linsert', key)
  return list.length
}

/** Keeps what is between two indexes. It counts as a change also where nothing is removed. */
function trim({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 0)
  boundsOf(0, word(args, 1), word(args, 2))
  const list = database.read(key, 'list')
  if (list === undefined) return OK
  const [from, to] = boundsOf(list.length, word(args, 1), word(args, 2))
  list.splice(0, list.length, ...list.slice(from, to))
  notify('l', 'ltrim', key)
  if (database.touched(key)) notify('g', 'del', key)
  return OK
}

/** Removes elements from the front, from the back where the count is below zero, or all where it is zero. */
function remove({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, sought] = [word(args, 0), word(args, 2)]
  const count = demandCount(word(args, 1))
  const list = database.read(key, 'list')
  if (list === undefined) return 0
  let left = count === 0 ? Infinity : Math.abs(count)
  const keeps = (element: Bytes) => element !== sought || (left -= 1) < 0
  const kept = count < 0 ? list.toReversed().filter(keeps).toReversed() : list.filter(keeps)
  const removed = list.length - kept.length
  list.splice(0, list.length, ...kept)
  if (removed > 0) {
    notify('l', 'lrem', key)
    if (database.touched(key)) notify('g', 'del', key)
  }
  return removed
}

function positions(context: Context, args: readonly Bytes[]): Reply {
  let [rank, count, most] = [1, undefined as number | undefined, 0]
  readOptions(args.slice(2), {
    RANK: (next) => {
      rank = demandCount(next())
      if (rank === 0)
        throw new CommandError(
          "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list",
        )
    },
    COUNT: (next) => {
      count = demandCount(next())
      if (count < 0) throw new CommandError("ERR COUNT can't be negative")
    },
    MAXLEN: (next) => {
      most = demandCount(next())
      if (most < 0) throw new CommandError("ERR MAXLEN can't be negative")
    },
  })
  const places = listAt(context, args).map((element, place) => ({ element, place }))
  const ordered = rank < 0 ? places.toReversed() : places
  const found = (most === 0 ? ordered : ordered.slice(0, most))
    .filter(({ element }) => element === word(args, 1))
    .slice(Math.abs(rank) - 1)
    .map(({ place }) => place)
  if (count === undefined) return found[0] ?? null
  return count === 0 ? found : found.slice(0, count)
}
