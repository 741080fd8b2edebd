import { defineCommand } from '../../command/operation/command.js'
import { boolean, integer, status } from '../../command/operation/replies.js'

const logs = ['log', '...others'] as const

/** Whether the estimate may have changed. A copy of it that finds no change cannot know which client has made it. */
export const add = defineCommand('PFADD', {
  keys: ['log'],
  args: ['...values'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

export const count = defineCommand('PFCOUNT', { keys: logs, args: [], reply: integer, repeat: 'safe' })

export const merge = defineCommand('PFMERGE', { keys: logs, args: [], reply: status, repeat: 'idempotent' })
