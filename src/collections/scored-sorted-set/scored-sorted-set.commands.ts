import { defineCommand } from '../../command/operation/command.js'
import {
  boolean,
  bytes,
  double,
  integer,
  list,
  nullable,
  pairs,
  text,
  tuple,
} from '../../command/operation/replies.js'
import { changed } from '../shared/changed.js'

const set = ['set'] as const
const sets = ['NUMKEYS', '...sets'] as const
const stored = ['set', 'NUMKEYS', '...sets'] as const
const entries = pairs(bytes, double)

/** Whether the value is new. A copy of it that finds the value cannot know which client has added it; likewise below. */
const one = { keys: set, reply: boolean, repeat: 'idempotent', unchanged: false } as const

/** How many are new, or have changed. A copy of it may find some of them, and would count less. */
const many = { keys: set, reply: integer, repeat: 'counting' } as const

/** A score, and its value. */
const added = { ...many, addsUp: true } as const

export const add = defineCommand('ZADD', { ...one, args: ['score', 'value'] })
export const addIfExists = defineCommand('ZADD', { ...one, args: ['XX', 'CH', 'score', 'value'] })
export const addIfGreater = defineCommand('ZADD', { ...one, args: ['GT', 'CH', 'score', 'value'] })
export const addIfLess = defineCommand('ZADD', { ...one, args: ['LT', 'CH', 'score', 'value'] })

/** Whether the value was added. A copy of it would add it again where another client has removed it meanwhile, as it would a job that is done. */
export const addIfAbsent = defineCommand('ZADD', {
  keys: set,
  args: ['NX', 'score', 'value'],
  reply: boolean,
  repeat: 'counting',
})

export const addAll = defineCommand('ZADD', { ...added, args: ['...entries'] })
export const addAllIfAbsent = defineCommand('ZADD', { ...added, args: ['NX', '...entries'] })
export const addAllIfExist = defineCommand('ZADD', { ...added, args: ['XX', 'CH', '...entries'] })
export const addAllIfGreater = defineCommand('ZADD', { ...added, args: ['GT', 'CH', '...entries'] })
export const addAllIfLess = defineCommand('ZADD', { ...added, args: ['LT', 'CH', '...entries'] })

/** Whether any was removed. */
export const remove = defineCommand('ZREM', { ...one, args: ['...values'], reply: changed })

/** How many were removed. A copy of it may find less. */
export const removeRangeByScore = defineCommand('ZREMRANGEBYSCORE', { ...many, args: ['min', 'max'] })

/** A copy of it would remove those that have moved up. */
export const removeRangeByRank = defineCommand('ZREMRANGEBYRANK', {
  keys: set,
  args: ['start', 'stop'],
  reply: integer,
  repeat: 'counting',
})

/** The sum. */
export const addScore = defineCommand('ZINCRBY', {
  keys: set,
  args: ['delta', 'value'],
  reply: double,
  repeat: 'counting',
})

/** What was removed, the lowest first. */
export const popFirst = defineCommand('ZPOPMIN', {
  keys: set,
  args: ['count'],
  reply: entries,
  repeat: 'counting',
})

/** What was removed, the highest first. */
export const popLast = defineCommand('ZPOPMAX', {
  keys: set,
  args: ['count'],
  reply: entries,
  repeat: 'counting',
})

export const score = defineCommand('ZSCORE', {
  keys: set,
  args: ['value'],
  reply: nullable(double),
  repeat: 'safe',
})

export const scores = defineCommand('ZMSCORE', {
  keys: set,
  args: ['...values'],
  reply: list(nullable(double)),
  repeat: 'safe',
})

const ranked = { keys: set, args: ['value'], reply: nullable(integer), repeat: 'safe' } as const

export const rank = defineCommand('ZRANK', ranked)
export const revRank = defineCommand('ZREVRANK', ranked)

export const size = defineCommand('ZCARD', { keys: set, args: [], reply: integer, repeat: 'safe' })

export const count = defineCommand('ZCOUNT', {
  keys: set,
  args: ['min', 'max'],
  reply: integer,
  repeat: 'safe',
})

/** Any values. */
export const random = defineCommand('ZRANDMEMBER', {
  keys: set,
  args: ['count'],
  reply: list(bytes),
  repeat: 'safe',
})

export const randomEntries = defineCommand('ZRANDMEMBER', {
  keys: set,
  args: ['count', 'WITHSCORES'],
  reply: entries,
  repeat: 'safe',
})

/** The values of a range, of ranks or of scores. */
export const range = defineCommand('ZRANGE', {
  keys: set,
  args: ['start', 'stop', '...clauses'],
  reply: list(bytes),
  repeat: 'safe',
})

export const rangeEntries = defineCommand('ZRANGE', {
  keys: set,
  args: ['start', 'stop', 'WITHSCORES', '...clauses'],
  reply: entries,
  repeat: 'safe',
})

/** The size of what was stored. A copy of it would take a range of that, where the target is the set itself. */
export const rangeTo = defineCommand('ZRANGESTORE', {
  keys: ['target', 'set'],
  args: ['start', 'stop', '...clauses'],
  reply: integer,
  repeat: 'counting',
})

/** The size of what was stored. A copy of it would count that once more, where the set itself is among the sources. */
const combined = { keys: stored, reply: integer, repeat: 'counting' } as const

export const union = defineCommand('ZUNIONSTORE', { ...combined, args: ['...clauses'] })
export const intersection = defineCommand('ZINTERSTORE', { ...combined, args: ['...clauses'] })
export const diff = defineCommand('ZDIFFSTORE', { ...combined, args: [] })

/** The values, each followed by its score. */
const readCombined = { keys: sets, reply: entries, repeat: 'safe' } as const

export const readUnion = defineCommand('ZUNION', { ...readCombined, args: ['WITHSCORES', '...clauses'] })
export const readIntersection = defineCommand('ZINTER', {
  ...readCombined,
  args: ['WITHSCORES', '...clauses'],
})
export const readDiff = defineCommand('ZDIFF', { ...readCombined, args: ['WITHSCORES'] })

export const countIntersection = defineCommand('ZINTERCARD', {
  keys: sets,
  args: ['LIMIT', 'limit'],
  reply: integer,
  repeat: 'safe',
})

/** The next cursor, and some entries. */
export const scan = defineCommand('ZSCAN', {
  keys: set,
  args: ['cursor', 'MATCH', 'pattern', 'COUNT', 'count'],
  reply: tuple(text, entries),
  repeat: 'safe',
})
