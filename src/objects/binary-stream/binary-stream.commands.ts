import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer } from '../../command/operation/replies.js'

const keys = ['bytes'] as const

/** The bytes from one position to another, which is that of the last one. */
export const read = defineCommand('GETRANGE', { keys, args: ['first', 'last'], reply: bytes, repeat: 'safe' })

/** How many bytes there are then. */
export const write = defineCommand('SETRANGE', {
  keys,
  args: ['position', 'chunk'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many bytes there are then. */
export const append = defineCommand('APPEND', { keys, args: ['chunk'], reply: integer, repeat: 'counting' })
