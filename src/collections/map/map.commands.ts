import { defineCommand } from '../../command/operation/command.js'
import {
  boolean,
  bytes,
  integer,
  list,
  nullable,
  pairs,
  text,
  tuple,
} from '../../command/operation/replies.js'

const map = ['map'] as const

export const get = defineCommand('HGET', {
  keys: map,
  args: ['field'],
  reply: nullable(bytes),
  repeat: 'safe',
})

export const getAll = defineCommand('HMGET', {
  keys: map,
  args: ['...fields'],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})

/** Whether the field is new. A copy of it that finds the field cannot know which client set it. */
export const put = defineCommand('HSET', {
  keys: map,
  args: ['field', 'value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether the value was set. A copy of it would set it again where another client has removed it meanwhile. */
export const putIfAbsent = defineCommand('HSETNX', {
  keys: map,
  args: ['field', 'value'],
  reply: boolean,
  repeat: 'counting',
})

/** How many fields were removed. A copy of it may find less. */
export const remove = defineCommand('HDEL', {
  keys: map,
  args: ['...fields'],
  reply: integer,
  repeat: 'counting',
})

/** The sum. */
export const add = defineCommand('HINCRBYFLOAT', {
  keys: map,
  args: ['field', 'delta'],
  reply: bytes,
  repeat: 'counting',
})

export const contains = defineCommand('HEXISTS', {
  keys: map,
  args: ['field'],
  reply: boolean,
  repeat: 'safe',
})

export const size = defineCommand('HLEN', { keys: map, args: [], reply: integer, repeat: 'safe' })

export const valueSize = defineCommand('HSTRLEN', {
  keys: map,
  args: ['field'],
  reply: integer,
  repeat: 'safe',
})

export const randomKeys = defineCommand('HRANDFIELD', {
  keys: map,
  args: ['count'],
  reply: list(bytes),
  repeat: 'safe',
})

export const randomEntries = defineCommand('HRANDFIELD', {
  keys: map,
  args: ['count', 'WITHVALUES'],
  reply: pairs(bytes, bytes),
  repeat: 'safe',
})

/** The next cursor, and some entries. */
export const scan = defineCommand('HSCAN', {
  keys: map,
  args: ['cursor', 'MATCH', 'pattern', 'COUNT', 'count'],
  reply: tuple(text, pairs(bytes, bytes)),
  repeat: 'safe',
})
