import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, list as listOf, nullable, status } from '../../command/operation/replies.js'

const list = ['list'] as const

export const get = defineCommand('LINDEX', {
  keys: list,
  args: ['index'],
  reply: nullable(bytes),
  repeat: 'safe',
})

export const range = defineCommand('LRANGE', {
  keys: list,
  args: ['from', 'to'],
  reply: listOf(bytes),
  repeat: 'safe',
})

export const size = defineCommand('LLEN', { keys: list, args: [], reply: integer, repeat: 'safe' })

/** The index of the first element that has the value, for rank 1, or of the last, for rank -1. */
export const indexOf = defineCommand('LPOS', {
  keys: list,
  args: ['value', 'RANK', 'rank'],
  reply: nullable(integer),
  repeat: 'safe',
})

/** The size. */
export const add = defineCommand('RPUSH', {
  keys: list,
  args: ['...values'],
  reply: integer,
  repeat: 'counting',
})

/** The size; -1 if nothing was inserted because there is no such element, and 0 because there is none at all. */
export const addAfter = defineCommand('LINSERT', {
  keys: list,
  args: ['AFTER', 'pivot', 'value'],
  reply: integer,
  repeat: 'counting',
})

/** The size; see {@link addAfter}. */
export const addBefore = defineCommand('LINSERT', {
  keys: list,
  args: ['BEFORE', 'pivot', 'value'],
  reply: integer,
  repeat: 'counting',
})

/** A copy of it may find another element at the index. */
export const set = defineCommand('LSET', {
  keys: list,
  args: ['index', 'value'],
  reply: status,
  repeat: 'counting',
})

/** How many elements were removed. */
export const remove = defineCommand('LREM', {
  keys: list,
  args: ['count', 'value'],
  reply: integer,
  repeat: 'counting',
})

export const trim = defineCommand('LTRIM', {
  keys: list,
  args: ['from', 'to'],
  reply: status,
  repeat: 'counting',
})
