import { defineCommand } from '../../command/operation/command.js'
import {
  boolean,
  bytes,
  int64,
  integer,
  list,
  nullable,
  status,
  unread,
} from '../../command/operation/replies.js'

const bits = ['bits'] as const

export const get = defineCommand('GETBIT', { keys: bits, args: ['index'], reply: boolean, repeat: 'safe' })

/** Whether it has changed the bit. A copy of it that finds it as it shall be cannot know which client has changed it. */
const setting = { keys: bits, repeat: 'idempotent', unchanged: false } as const
export const setOne = defineCommand('SETBIT', {
  ...setting,
  args: ['index', '1'],
  reply: (before) => !boolean(before),
})
export const setZero = defineCommand('SETBIT', { ...setting, args: ['index', '0'], reply: boolean })

export const cardinality = defineCommand('BITCOUNT', { keys: bits, args: [], reply: integer, repeat: 'safe' })

/** How many bytes there are. */
export const size = defineCommand('STRLEN', { keys: bits, args: [], reply: integer, repeat: 'safe' })

export const toByteArray = defineCommand('GET', {
  keys: bits,
  args: [],
  reply: nullable(bytes),
  repeat: 'safe',
})

export const range = defineCommand('GETRANGE', {
  keys: bits,
  args: ['first', 'last'],
  reply: bytes,
  repeat: 'safe',
})

export const setByteArray = defineCommand('SET', {
  keys: bits,
  args: ['bytes'],
  reply: status,
  repeat: 'idempotent',
  overwrites: true,
})

/** What is in several cells. */
export const cells = defineCommand('BITFIELD_RO', {
  keys: bits,
  args: ['...words'],
  reply: list(int64),
  repeat: 'safe',
})

/** What is or was in several cells, or the sum; undefined where that would be too much. */
export const changeCells = defineCommand('BITFIELD', {
  keys: bits,
  args: ['...words'],
  reply: list(nullable(int64)),
  repeat: 'counting',
})

/** Sets bits one by one. */
export const setBits = defineCommand('BITFIELD', {
  keys: bits,
  args: ['...words'],
  reply: unread,
  repeat: 'idempotent',
})

/** How many bytes there are. */
export const not = defineCommand('BITOP NOT', {
  keys: ['target', 'source'],
  args: [],
  reply: integer,
  repeat: 'counting',
})
