import { command, word, type Command } from './command.js'

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
  command('srem', -3, 'write', ({ database, notify }, args) => {
    const key = word(args, 0)
    const set = database.read(key, 'set')
    const removed = args.slice(1).filter((member) => set?.delete(member)).length
    if (removed > 0) {
      notify('s', 'srem', key)
      if (database.touched(key)) notify('g', 'del', key)
    }
    return removed
  }),
  command('scard', 2, 'read', ({ database }, args) => database.read(word(args, 0), 'set')?.size ?? 0),
  command('sismember', 3, 'read', ({ database }, args) =>
    database.read(word(args, 0), 'set')?.has(word(args, 1)) ? 1 : 0,
  ),
  command('smembers', 2, 'read', ({ database }, args) => [...(database.read(word(args, 0), 'set') ?? [])]),
]
