import { CommandError, noSuchKey, notAnInteger, syntaxError } from '../command-error.js'
import type { Database, Entry } from '../database.js'
import { matches } from '../glob.js'
import { demandCount, demandInteger, integerOf } from '../numbers.js'
import { OK, Status, type Bytes, type Reply } from '../reply.js'
import { copyOf, restored, serialized } from '../serialized.js'
import { command, word, type Command, type Context } from './command.js'
import { demandCursor } from './cursor.js'
import { setExpiry, allows, conditionOf, expiryOf, UNITS, type Unit } from './expiry.js'
import { readOptions } from './options.js'

export const keys: readonly Command[] = [
  command('del', -2, 'write', remove),
  command('unlink', -2, 'write', remove),
  command('exists', -2, 'read', ({ database }, args) => args.filter((key) => database.find(key)).length),
  command('touch', -2, 'read', ({ database }, args) => args.filter((key) => database.use(key)).length),
  command(
    'type',
    2,
    'read',
    ({ database }, args) => new Status(database.find(word(args, 0))?.type ?? 'none'),
  ),
  command('pttl', 2, 'read', (context, args) => leftOf(context, word(args, 0), 1)),
  command('ttl', 2, 'read', (context, args) => leftOf(context, word(args, 0), 1000)),
  command('pexpiretime', 2, 'read', ({ database }, args) => endOf(database, word(args, 0), 1)),
  command('expiretime', 2, 'read', ({ database }, args) => endOf(database, word(args, 0), 1000)),
  command('expire', -3, 'write', (context, args) => expire(context, args, 'expire', UNITS['EX'] as Unit)),
  command('pexpire', -3, 'write', (context, args) => expire(context, args, 'pexpire', UNITS['PX'] as Unit)),
  command('expireat', -3, 'write', (context, args) =>
    expire(context, args, 'expireat', UNITS['EXAT'] as Unit),
  ),
  command('pexpireat', -3, 'write', (context, args) =>
    expire(context, args, 'pexpireat', UNITS['PXAT'] as Unit),
  ),
  command('persist', 2, 'write', ({ database, notify }, args) => {
    const key = word(args, 0)
    if (database.find(key)?.expireAt === undefined) return 0
    database.expireAt(key, undefined)
    notify('g', 'persist', key)
    return 1
  }),
  command('rename', 3, 'write', (context, args) => {
    rename(context, word(args, 0), word(args, 1))
    return OK
  }),
  command('renamenx', 3, 'write', (context, args) => {
    const { database } = context
    if (database.find(word(args, 0)) === undefined) throw noSuchKey()
    if (database.find(word(args, 1)) !== undefined) return 0
    rename(context, word(args, 0), word(args, 1))
    return 1
  }),
  command('copy', -3, 'grow', copy),
  command('move', 3, 'write', move),
  command('keys', 2, 'read', ({ database }, args) =>
    database.keys.filter((key) => matches(word(args, 0), key) && !database.hasExpired(key)),
  ),
  command('scan', -2, 'read', scan),
  command('randomkey', 1, 'read', ({ server, database }) => {
    const all = database.keys.filter((key) => database.find(key))
    return all[server.draw(all.length)] ?? null
  }),
  command('dbsize', 1, 'read', ({ database }) => database.size),
  command('flushdb', -1, 'write', ({ server, database }, args) => {
    demandFlushMode(args)
    server.flush([database])
    return OK
  }),
  command('flushall', -1, 'write', ({ server }, args) => {
    demandFlushMode(args)
    server.flush(server.databases)
    return OK
  }),
  command('swapdb', 3, 'write', ({ server }, args) => {
    const [one, other] = args.map((text, n) => {
      const invalid = () => new CommandError(`ERR invalid ${n === 0 ? 'first' : 'second'} DB index`)
      return databaseAt(server.databases, demandInteger(text, invalid))
    }) as [Database, Database]
    one.swap(other)
    return OK
  }),
  command('dump', 2, 'read', ({ database }, args) => {
    const entry = database.use(word(args, 0))
    return entry === undefined ? null : serialized(entry)
  }),
  command('restore', -4, 'grow', restore),
  command('object', -2, 'read', ({ server, database }, args) => {
    if (word(args, 0).toUpperCase() !== 'IDLETIME' || args.length !== 2)
      throw new CommandError(
        `ERR unknown subcommand or wrong number of arguments for '${word(args, 0)}'. Try OBJECT HELP.`,
      )
    const entry = database.find(word(args, 1))
    return entry === undefined ? null : Math.floor((server.now - entry.usedAt) / 1000)
  }),
  command('memory', -2, 'read', ({ database }, args) => {
    const entry = database.find(word(args, 1))
    return entry === undefined ? null : 48 + word(args, 1).length + serialized(entry).length
  }),
]

export function databaseAt(databases: readonly Database[], index: bigint): Database {
  const database = databases[Number(index)]
  if (index < 0n || database === undefined) throw new CommandError('ERR DB index is out of range')
  return database
}

function remove({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const removed = args.filter((key) => database.remove(key))
  for (const key of removed) notify('g', 'del', key)
  return removed.length
}

function leftOf({ server, database }: Context, key: Bytes, unit: number): Reply {
  const entry = database.find(key)
  if (entry === undefined) return -2
  if (entry.expireAt === undefined) return -1
  const leftMs = Math.max(0, entry.expireAt - server.now)
  return unit === 1 ? leftMs : Math.floor((leftMs + unit / 2) / unit)
}

function endOf(database: Database, key: Bytes, unit: number): Reply {
  const entry = database.find(key)
  if (entry === undefined) return -2
  if (entry.expireAt === undefined) return -1
  return unit === 1 ? entry.expireAt : Math.floor((entry.expireAt + unit / 2) / unit)
}

function expire(context: Context, args: readonly Bytes[], name: Bytes, unit: Unit): Reply {
  const { server, database } = context
  const key = word(args, 0)
  const condition = conditionOf(args.slice(2))
  const time = expiryOf(word(args, 1), unit, { now: server.now, command: name, isAhead: false })
  const entry = database.find(key)
  if (entry === undefined || !allows(condition, entry.expireAt, time)) return 0
  setExpiry(context, key, time)
  return 1
}

function rename({ database, notify }: Context, from: Bytes, to: Bytes): void {
  const entry = database.find(from)
  if (entry === undefined) throw noSuchKey()
  if (from === to) return
  database.remove(from)
  database.put(to, entry)
  notify('g', 'rename_from', from)
  notify('g', 'rename_to', to)
}

function copy({ server, database, notify }: Context, args: readonly Bytes[]): Reply {
  const [from, to] = [word(args, 0), word(args, 1)]
  let [target, replaces] = [database, false]
  readOptions(args.slice(2), {
    REPLACE: () => (replaces = true),
    DB: (next) => (target = databaseAt(server.databases, demandInteger(next()))),
  })
  if (target === database && from === to)
    throw new CommandError('ERR source and destination objects are the same')
  const entry = database.use(from)
  if (entry === undefined || (!replaces && target.find(to) !== undefined)) return 0
  target.put(to, copyOf(entry))
  notify('g', 'copy_to', to)
  return 1
}

function move({ server, database, notify }: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 0)
  const index = integerOf(word(args, 1))
  if (index === undefined) throw new CommandError('ERR value is not an integer or out of range')
  const target = databaseAt(server.databases, index)
  if (target === database) throw new CommandError('ERR source and destination objects are the same')
  const entry = database.find(key)
  if (entry === undefined || target.find(key) !== undefined) return 0
  database.remove(key)
  target.put(key, entry)
  notify('g', 'move_from', key)
  return 1
}

function scan({ database }: Context, args: readonly Bytes[]): Reply {
  demandCursor(word(args, 0))
  let pattern = '*'
  let type: Bytes | undefined
  readOptions(args.slice(1), {
    MATCH: (next) => (pattern = next()),
    COUNT: (next) => {
      if (demandCount(next()) < 1) throw syntaxError()
    },
    TYPE: (next) => (type = next().toLowerCase()),
  })
  const isWanted = (key: Bytes) => {
    const entry = matches(pattern, key) ? database.find(key) : undefined
    return entry !== undefined && (type === undefined || entry.type === type)
  }
  return ['0', database.keys.filter(isWanted)]
}

function demandFlushMode(args: readonly Bytes[]): void {
  if (args.length > 1 || (args[0] !== undefined && !/^(a?sync)$/i.test(args[0]))) throw syntaxError()
}

function restore({ server, database, notify }: Context, args: readonly Bytes[]): Reply {
  const [key, time, payload] = [word(args, 0), word(args, 1), word(args, 2)]
  let [replaces, isAbsolute] = [false, false]
  readOptions(args.slice(3), {
    REPLACE: () => (replaces = true),
    ABSTTL: () => (isAbsolute = true),
    IDLETIME: (next) => void demandCount(next()),
    FREQ: (next) => void demandCount(next()),
  })
  if (!replaces && database.find(key) !== undefined)
    throw new CommandError('BUSYKEY Target key name already exists.')
  const ttl = Number(demandInteger(time, notAnInteger))
  if (ttl < 0) throw new CommandError('ERR Invalid TTL value, must be >= 0')
  const entry: Pick<Entry, 'type' | 'value'> | undefined = restored(payload)
  if (entry === undefined) throw new CommandError('ERR DUMP payload version or checksum are wrong')
  const expireAt = ttl === 0 ? undefined : isAbsolute ? ttl : server.now + ttl
  if (expireAt !== undefined && expireAt <= server.now) {
    if (database.remove(key)) notify('g', 'del', key)
    return OK
  }
  database.put(key, { ...entry, expireAt })
  notify('g', 'restore', key)
  return OK
}
