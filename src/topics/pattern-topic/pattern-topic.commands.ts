import { defineCommand } from '../../command/command.js'
import { list, text } from '../../command/replies.js'

/** The channels that match and have subscribers. */
export const channels = defineCommand('PUBSUB CHANNELS', {
  keys: ['pattern'],
  args: [],
  reply: list(text),
  repeat: 'safe',
})
