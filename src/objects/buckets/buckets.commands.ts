import { defineCommand } from '../../command/operation/command.js'
import { bytes, list, nullable } from '../../command/operation/replies.js'

export const get = defineCommand('MGET', {
  keys: ['...buckets'],
  args: [],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})
