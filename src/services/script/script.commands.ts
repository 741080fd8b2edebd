import { defineCommand } from '../../command/operation/command.js'
import { boolean, list, status, text } from '../../command/operation/replies.js'

export const load = defineCommand('SCRIPT LOAD', {
  keys: [],
  args: ['source'],
  reply: text,
  repeat: 'idempotent',
})

export const exists = defineCommand('SCRIPT EXISTS', {
  keys: [],
  args: ['...shas'],
  reply: list(boolean),
  repeat: 'safe',
})

export const flush = defineCommand('SCRIPT FLUSH', {
  keys: [],
  args: [],
  reply: status,
  repeat: 'idempotent',
})
