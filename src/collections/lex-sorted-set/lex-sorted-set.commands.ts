import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, list } from '../../command/operation/replies.js'

const set = ['set'] as const

/** The values of a range, in their order. */
export const range = defineCommand('ZRANGEBYLEX', {
  keys: set,
  args: ['from', 'to', '...limit'],
  reply: list(bytes),
  repeat: 'safe',
})

/** The values of a range, the last one first. */
export const rangeReversed = defineCommand('ZREVRANGEBYLEX', {
  keys: set,
  args: ['to', 'from', '...limit'],
  reply: list(bytes),
  repeat: 'safe',
})

export const count = defineCommand('ZLEXCOUNT', {
  keys: set,
  args: ['from', 'to'],
  reply: integer,
  repeat: 'safe',
})

/** How many were removed. A copy of it may find less. */
export const removeRange = defineCommand('ZREMRANGEBYLEX', {
  keys: set,
  args: ['from', 'to'],
  reply: integer,
  repeat: 'counting',
})
