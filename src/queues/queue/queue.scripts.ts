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

/** The elements that were moved. */
export const move = defineScript('queue/move', {
  lua: moveLua,
  keys: ['queue', 'target'],
  args: ['count', 'exactly'],
  reply: list(bytes),
  repeat: 'counting',
})
