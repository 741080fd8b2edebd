import { defineCommand } from '../../command/command.js'
import { bytes, list, nullable } from '../../command/replies.js'

export const get = defineCommand('MGET', {
  keys: ['...buckets'],
  args: [],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})
