import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, tuple } from '../../command/operation/replies.js'

export const publish = defineCommand('PUBLISH', {
  keys: ['channel'],
  args: ['message'],
  reply: integer,
  repeat: 'counting',
})

/** The channel, and how many clients listen to it. */
export const subscribers = defineCommand('PUBSUB NUMSUB', {
  keys: ['channel'],
  args: [],
  reply: tuple<[Buffer, number]>(bytes, integer),
  repeat: 'safe',
})
