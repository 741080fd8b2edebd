import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, nullable } from '../../command/operation/replies.js'

/** The size. */
const added = { keys: ['deque'], args: ['...values'], reply: integer, repeat: 'counting' } as const

export const addFirst = defineCommand('LPUSH', added)

export const addFirstIfExists = defineCommand('LPUSHX', added)

export const addLast = defineCommand('RPUSH', added)

export const addLastIfExists = defineCommand('RPUSHX', added)

/** The element that was moved. */
export const move = defineCommand('LMOVE', {
  keys: ['deque', 'target'],
  args: ['from', 'to'],
  reply: nullable(bytes),
  repeat: 'counting',
})
