import { bytes, list } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import moveLua from './move.lua'
import pollLua from './poll.lua'

/** The elements, in the order in which they were removed. */
export const poll = defineScript('queue/poll', {
  lua: pollLua,
  keys: ['queue'],
  args: ['pop', 'count'],
  reply: list(bytes),
  repeat: 'counting',
})

/** The elements that were moved. `queues` are the one from which and the one to which. */
export const move = defineScript('queue/move', {
  lua: moveLua,
  keys: ['...queues'],
  args: ['count', 'exactly'],
  reply: list(bytes),
  repeat: 'counting',
})
