import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, nullable } from '../../command/operation/replies.js'

const set = ['set'] as const

export const size = defineCommand('LLEN', { keys: set, args: [], reply: integer, repeat: 'safe' })

export const at = defineCommand('LINDEX', {
  keys: set,
  args: ['index'],
  reply: nullable(bytes),
  repeat: 'safe',
})
