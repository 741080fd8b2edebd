import { CommandError, syntaxError } from '../command-error.js'
import { matches } from '../glob.js'
import { demandCount } from '../numbers.js'
import { type Bytes, type Reply } from '../reply.js'
import { command, word, type Command, type Context } from './command.js'
import { demandCursor } from './cursor.js'
import { readOptions } from './options.js'

/** What sets make together, of which some may not be there. */
type Combine = (first: ReadonlySet<Bytes>, others: readonly ReadonlySet<Bytes>[]) => ReadonlySet<Bytes>

const union: Combine = (first, others) => new Set([first, ...others].flatMap((set) => [...set]))
const diff: Combine = (first, others) =>
  new Set([...first].filter((member) => others.every((set) => !set.has(member))))
const intersection: Combine = (first, others) =>
  new Set([...first].filter((member) => others.every((set) => set.has(member))))

export const sets: readonly Command[] = [
  command('sadd', -3, 'grow', ({ database, notify }, args) => {
    const key = word(args, 0)
    const set = database.open(key, 'set')
    const before = set.size
    for (const member of args.slice(1)) set.add(member)
    const added = set.size - before
    if (added > 0) {
      database.touched(key)
      notify('s', 'sadd', key)
    }
    return added
  }),
  command('srem', -3, 'write', (context, args) => {
    const set = setAt(context, word(args, 0))
    const removed = args.slice(1).filter((member) => set?.delete(member)).length
    if (removed > 0) lost(context, word(args, 0), 'srem')
    return removed
  }),
  command('scard', 2, 'read', (context, args) => setAt(context, word(args, 0))?.size ?? 0),
  command('sismember', 3, 'read', (context, args) => has(setAt(context, word(args, 0)), word(args, 1))),
  command('smismember', -3, 'read', (context, args) => {
    const set = setAt(context, word(args, 0))
    return args.slice(1).map((member) => has(set, member))
  }),
  command('smembers', 2, 'read', (context, args) => [...(setAt(context, word(args, 0)) ?? [])]),
  command('srandmember', -2, 'read', randomMember),
  command('spop', -2, 'write', pop),
  command('smove', 4, 'grow', move),
  command('sscan', -3, 'read', (context, args) => {
    demandCursor(word(args, 1))
    let pattern = '*'
    readOptions(args.slice(2), {
      MATCH: (next) => (pattern = next()),
      COUNT: (next) => {
        if (demandCount(next()) < 1) throw syntaxError()
      },
    })
    return ['0', [...(setAt(context, word(args, 0)) ?? [])].filter((member) => matches(pattern, member))]
  }),
  ...combining('sunion', union),
  ...combining('sdiff', diff),
  ...combining('sinter', intersection),
  command('sintercard', -3, 'read', countIntersection),
]

function setAt({ database }: Context, key: Bytes): Set<Bytes> | undefined {
  return database.read(key, 'set')
}

function has(set: ReadonlySet<Bytes> | undefined, member: Bytes): 0 | 1 {
  return set?.has(member) ? 1 : 0
}

/** Members have gone, the last of them perhaps. */
function lost({ database, notify }: Context, key: Bytes, event: Bytes): void {
  notify('s', event, key)
  if (database.touched(key)) notify('g', 'del', key)
}

/** Draws members: one, some without a double, or with doubles where the count is below zero. */
function randomMember(context: Context, args: readonly Bytes[]): Reply {
  if (args.length > 2) throw syntaxError()
  const isOne = args.length === 1
  const count = isOne ? 1 : demandCount(word(args, 1))
  const members = [...(setAt(context, word(args, 0)) ?? [])]
  const at = () => context.server.draw(members.length)
  if (isOne) return members[at()] ?? null
  if (members.length === 0) return []
  if (count < 0) return Array.from({ length: -count }, () => members[at()] as Bytes)
  return Array.from({ length: Math.min(count, members.length) }, () => members.splice(at(), 1)[0] as Bytes)
}

function pop(context: Context, args: readonly Bytes[]): Reply {
  const [key, isOne] = [word(args, 0), args.length === 1]
  if (args.length > 2) throw syntaxError()
  const count = isOne ? 1 : popCount(word(args, 1))
  const set = setAt(context, key)
  const members = [...(set ?? [])]
  const popped = Array.from(
    { length: Math.min(count, members.length) },
    () => members.splice(context.server.draw(members.length), 1)[0] as Bytes,
  )
  for (const member of popped) set?.delete(member)
  if (popped.length > 0) lost(context, key, 'spop')
  return isOne ? (popped[0] ?? null) : popped
}

function popCount(text: Bytes): number {
  const refused = () => new CommandError('ERR value is out of range, must be positive')
  const count = Number(/^(0|-?[1-9]\d{0,18})$/.test(text) ? text : NaN)
  if (!(count >= 0 && count <= 2 ** 63)) throw refused()
  return count
}

function move(context: Context, [from = '', to = '', member = '']: readonly Bytes[]): Reply {
  const { database, notify } = context
  const source = database.use(from)
  if (source === undefined) return 0
  const [set] = [setAt(context, from), setAt(context, to)]
  if (from === to) return has(set, member)
  if (!set?.delete(member)) return 0
  lost(context, from, 'srem')
  const target = database.open(to, 'set')
  const isNew = !target.has(member)
  target.add(member)
  database.touched(to)
  if (isNew) notify('s', 'sadd', to)
  return 1
}

/** A command that replies with what sets make together, and the one that stores it. */
function combining(name: Bytes, combine: Combine): readonly Command[] {
  const combined = (context: Context, keys: readonly Bytes[]) => {
    const [first = new Set<Bytes>(), ...others] = keys.map((key) => setAt(context, key) ?? new Set<Bytes>())
    return combine(first, others)
  }
  return [
    command(name, -2, 'read', (context, keys) => [...combined(context, keys)]),
    command(`${name}store`, -3, 'grow', (context, [target = '', ...keys]) => {
      const { database, notify } = context
      const value = new Set(combined(context, keys))
      if (value.size > 0) {
        database.put(target, { type: 'set', value })
        notify('s', `${name}store`, target)
      } else if (database.remove(target)) notify('g', 'del', target)
      return value.size
    }),
  ]
}

function countIntersection(context: Context, args: readonly Bytes[]): Reply {
  const numberOfKeys = positive(word(args, 0), 'ERR numkeys should be greater than 0')
  if (numberOfKeys < 1) throw new CommandError('ERR numkeys should be greater than 0')
  if (numberOfKeys > args.length - 1)
    throw new CommandError("ERR Number of keys can't be greater than number of args")
  let limit = 0
  readOptions(args.slice(1 + numberOfKeys), {
    LIMIT: (next) => (limit = positive(next(), "ERR LIMIT can't be negative")),
  })
  const [first = new Set<Bytes>(), ...others] = args
    .slice(1, 1 + numberOfKeys)
    .map((key) => setAt(context, key) ?? new Set<Bytes>())
  const { size } = intersection(first, others)
  return limit === 0 ? size : Math.min(size, limit)
}

function positive(text: Bytes, refusal: Bytes): number {
  const number = /^(0|-?[1-9]\d{0,18})$/.test(text) ? Number(text) : NaN
  if (!(number >= 0)) throw new CommandError(refusal)
  return number
}
