import { CommandError, syntaxError } from '../command-error.js'
import { add, demandLongDouble, longDoubleText } from '../long-double.js'
import { compact, demandCount, demandInteger, sumOf } from '../numbers.js'
import { matches } from '../glob.js'
import { type Bytes, type Reply } from '../reply.js'
import { command, pairsOf, word, type Command, type Context } from './command.js'
import { demandCursor } from './cursor.js'
import { readOptions } from './options.js'

export const hashes: readonly Command[] = [
  command('hget', 3, 'read', (context, args) => hashAt(context, args)?.get(word(args, 1)) ?? null),
  command('hmget', -3, 'read', (context, args) => {
    const hash = hashAt(context, args)
    return args.slice(1).map((field) => hash?.get(field) ?? null)
  }),
  command('hgetall', 2, 'read', (context, args) => [...(hashAt(context, args) ?? [])].flat()),
  command('hkeys', 2, 'read', (context, args) => [...(hashAt(context, args)?.keys() ?? [])]),
  command('hvals', 2, 'read', (context, args) => [...(hashAt(context, args)?.values() ?? [])]),
  command('hlen', 2, 'read', (context, args) => hashAt(context, args)?.size ?? 0),
  command('hexists', 3, 'read', (context, args) => (hashAt(context, args)?.has(word(args, 1)) ? 1 : 0)),
  command('hstrlen', 3, 'read', (context, args) => hashAt(context, args)?.get(word(args, 1))?.length ?? 0),
  command('hset', -4, 'grow', (context, args) => {
    if (args.length % 2 === 0) throw new CommandError("ERR wrong number of arguments for 'hset' command")
    const hash = context.database.open(word(args, 0), 'hash')
    const before = hash.size
    for (const [field, value] of pairsOf(args.slice(1))) hash.set(field, value)
    changed(context, word(args, 0), 'hset')
    return hash.size - before
  }),
  command('hsetnx', 4, 'grow', (context, args) => {
    const [key, field, value] = [word(args, 0), word(args, 1), word(args, 2)]
    if (hashAt(context, args)?.has(field)) return 0
    context.database.open(key, 'hash').set(field, value)
    changed(context, key, 'hset')
    return 1
  }),
  command('hdel', -3, 'write', ({ database, notify }, args) => {
    const key = word(args, 0)
    const hash = database.read(key, 'hash')
    const removed = args.slice(1).filter((field) => hash?.delete(field)).length
    if (removed > 0) {
      notify('h', 'hdel', key)
      if (database.touched(key)) notify('g', 'del', key)
    }
    return removed
  }),
  command('hincrby', 4, 'grow', (context, args) => {
    const [key, field] = [word(args, 0), word(args, 1)]
    const by = demandInteger(word(args, 2))
    const present = hashAt(context, args)?.get(field) ?? '0'
    const sum = sumOf(
      demandInteger(present, () => new CommandError('ERR hash value is not an integer')),
      by,
    )
    context.database.open(key, 'hash').set(field, String(sum))
    changed(context, key, 'hincrby')
    return compact(sum)
  }),
  command('hincrbyfloat', 4, 'grow', (context, args) => {
    const [key, field] = [word(args, 0), word(args, 1)]
    const by = demandLongDouble(word(args, 2))
    const present = demandLongDouble(
      hashAt(context, args)?.get(field) ?? '0',
      'ERR hash value is not a float',
    )
    const sum = longDoubleText(add(present, by))
    context.database.open(key, 'hash').set(field, sum)
    changed(context, key, 'hincrbyfloat')
    return sum
  }),
  command('hrandfield', -2, 'read', randomField),
  command('hscan', -3, 'read', (context, args) => {
    demandCursor(word(args, 1))
    let pattern = '*'
    readOptions(args.slice(2), {
      MATCH: (next) => (pattern = next()),
      COUNT: (next) => {
        if (demandCount(next()) < 1) throw syntaxError()
      },
    })
    const found = [...(hashAt(context, args) ?? [])].filter(([field]) => matches(pattern, field))
    return ['0', found.flat()]
  }),
]

function hashAt({ database }: Context, args: readonly Bytes[]): Map<Bytes, Bytes> | undefined {
  return database.read(word(args, 0), 'hash')
}

function changed({ database, notify }: Context, key: Bytes, event: Bytes): void {
  database.touched(key)
  notify('h', event, key)
}

/** Draws fields: one, some without a double, or with doubles where the count is below zero. */
function randomField(context: Context, args: readonly Bytes[]): Reply {
  const { server } = context
  const isOne = args.length === 1
  const count = isOne ? 1 : demandCount(word(args, 1))
  const shown = { withValues: false }
  readOptions(args.slice(2), { WITHVALUES: () => (shown.withValues = true) })
  const entries = [...(hashAt(context, args) ?? [])]
  const drawn = () => entries[server.draw(entries.length)] as [Bytes, Bytes]
  if (entries.length === 0) return isOne ? null : []
  if (isOne) return drawn()[0]
  const chosen =
    count < 0
      ? Array.from({ length: -count }, drawn)
      : Array.from(
          { length: Math.min(count, entries.length) },
          () => entries.splice(server.draw(entries.length), 1)[0] as [Bytes, Bytes],
        )
  return shown.withValues ? chosen.flat() : chosen.map(([field]) => field)
}
