import { defineCommand } from '../../command/operation/command.js'
import { boolean, bytes, integer, list, nullable, text, tuple } from '../../command/operation/replies.js'
import { changed } from '../shared/changed.js'

const set = ['set'] as const
const sets = ['set', '...others'] as const
const values = ['...values'] as const

/** Whether any of the values is new. A copy of it that finds all of them cannot know which client has added them. */
export const add = defineCommand('SADD', {
  keys: set,
  args: values,
  reply: changed,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many values are new. A copy of it may find some of them, and would count less. */
export const addCounted = defineCommand('SADD', {
  keys: set,
  args: values,
  reply: integer,
  repeat: 'counting',
})

/** Whether any of the values was there. A copy of it that finds none cannot know which client has removed them. */
export const remove = defineCommand('SREM', {
  keys: set,
  args: values,
  reply: changed,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many values were there. A copy of it may find less. */
export const removeCounted = defineCommand('SREM', {
  keys: set,
  args: values,
  reply: integer,
  repeat: 'counting',
})

export const contains = defineCommand('SISMEMBER', {
  keys: set,
  args: ['value'],
  reply: boolean,
  repeat: 'safe',
})

export const containsEach = defineCommand('SMISMEMBER', {
  keys: set,
  args: values,
  reply: list(boolean),
  repeat: 'safe',
})

export const random = defineCommand('SRANDMEMBER', {
  keys: set,
  args: [],
  reply: nullable(bytes),
  repeat: 'safe',
})

export const randomMany = defineCommand('SRANDMEMBER', {
  keys: set,
  args: ['count'],
  reply: list(bytes),
  repeat: 'safe',
})

export const removeRandom = defineCommand('SPOP', {
  keys: set,
  args: [],
  reply: nullable(bytes),
  repeat: 'counting',
})

export const removeRandomMany = defineCommand('SPOP', {
  keys: set,
  args: ['count'],
  reply: list(bytes),
  repeat: 'counting',
})

/** Whether the value was there. A copy of it that does not find it cannot know which client has moved or removed it. */
export const move = defineCommand('SMOVE', {
  keys: ['set', 'destination'],
  args: ['value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** The size of the set that was stored. */
export const union = defineCommand('SUNIONSTORE', {
  keys: sets,
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

/** The size of the set that was stored. */
export const diff = defineCommand('SDIFFSTORE', {
  keys: sets,
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

/** The same where the set itself is among those behind the first: a copy of it would leave out what was stored. */
export const diffWithItself = defineCommand('SDIFFSTORE', {
  keys: sets,
  args: [],
  reply: integer,
  repeat: 'counting',
})

/** The size of the set that was stored. */
export const intersection = defineCommand('SINTERSTORE', {
  keys: sets,
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

export const readUnion = defineCommand('SUNION', { keys: sets, args: [], reply: list(bytes), repeat: 'safe' })

export const readDiff = defineCommand('SDIFF', { keys: sets, args: [], reply: list(bytes), repeat: 'safe' })

export const readIntersection = defineCommand('SINTER', {
  keys: sets,
  args: [],
  reply: list(bytes),
  repeat: 'safe',
})

export const countIntersection = defineCommand('SINTERCARD', {
  keys: ['NUMKEYS', ...sets],
  args: ['LIMIT', 'limit'],
  reply: integer,
  repeat: 'safe',
})

export const size = defineCommand('SCARD', { keys: set, args: [], reply: integer, repeat: 'safe' })

/** The next cursor, and some values. */
export const scan = defineCommand('SSCAN', {
  keys: set,
  args: ['cursor', 'MATCH', 'pattern', 'COUNT', 'count'],
  reply: tuple(text, list(bytes)),
  repeat: 'safe',
})
