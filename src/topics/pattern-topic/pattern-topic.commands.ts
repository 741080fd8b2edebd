import { defineCommand } from '../../command/operation/command.js'
import { list, text } from '../../command/operation/replies.js'

/** The channels that match and have subscribers. */
export const channels = defineCommand('PUBSUB CHANNELS', {
  keys: ['pattern'],
  args: [],
  reply: list(text),
  repeat: 'safe',
})
