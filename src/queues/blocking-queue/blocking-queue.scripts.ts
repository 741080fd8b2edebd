import { bytes, integer, list, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import moveBackLua from './move-back.lua'
import pollFromAnyLua from './poll-from-any.lua'
import putBackLua from './put-back.lua'

/** Which queue it is, and what was removed; undefined if all are empty. */
export const pollFromAny = defineScript('blocking-queue/poll-from-any', {
  lua: pollFromAnyLua,
  keys: ['...queues'],
  args: ['pop', 'count'],
  reply: nullable(tuple(integer, list(bytes))),
  repeat: 'counting',
})

/** How many elements were put back. */
export const putBack = defineScript('blocking-queue/put-back', {
  lua: [restOfLua, putBackLua],
  keys: ['queue'],
  args: ['push', '...values'],
  reply: integer,
  repeat: 'counting',
})

/** How many elements were put back. */
export const moveBack = defineScript('blocking-queue/move-back', {
  lua: [restOfLua, moveBackLua],
  keys: ['queue', 'target'],
  args: ['push', 'from', '...values'],
  reply: integer,
  repeat: 'counting',
})
