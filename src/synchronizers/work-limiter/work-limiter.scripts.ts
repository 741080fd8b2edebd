import { boolean, integer, list, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import levelsLua from '../shared/levels.lua'
import askLua from './lua/ask.lua'
import callFirstLua from './lua/call-first.lua'
import countsLua from './lua/counts.lua'
import giveBackLua from './lua/give-back.lua'
import leaveLua from './lua/leave.lua'
import placesLua from './lua/places.lua'
import renewLua from './lua/renew.lua'
import resetLua from './lua/reset.lua'

const keys = ['places', 'rate', 'waiting', 'ends', 'channel', 'request'] as const

/**
 * Milliseconds until it is worth asking again, and whether only a rate refuses the next function (1); then, for each function that may begin, in how
 * many milliseconds.
 */
export const ask = defineScript('work-limiter/ask', {
  lua: [rememberLua, levelsLua, placesLua, callFirstLua, askLua],
  keys,
  args: [
    'id',
    'waiter',
    'weights',
    'priority',
    'enters',
    'leaseMs',
    'aheadMs',
    'concurrency',
    'limits',
    'publish',
  ],
  reply: list(integer),
  repeat: 'counting',
})

/** How many places were taken, and whether the queue of the same process may ask now (1). A place is given back once, by any request. */
export const giveBack = defineScript('work-limiter/give-back', {
  lua: [rememberLua, levelsLua, placesLua, callFirstLua, giveBackLua],
  keys: ['places', 'rate', 'waiting', 'ends', 'channel', 'resets', 'request'],
  args: ['id', 'first', 'count', 'waiter', 'refund', 'leaseMs', 'limits', 'undoneMs', 'publish'],
  reply: tuple(integer, integer),
  repeat: 'idempotent',
})

/** Whether the queue was waiting. */
export const leave = defineScript('work-limiter/leave', {
  lua: [serverTimeLua, placesLua, callFirstLua, leaveLua],
  keys: ['waiting', 'ends', 'channel'],
  args: ['waiter', 'publish'],
  reply: boolean,
  repeat: 'idempotent',
})

/** Whether anything was used. */
export const reset = defineScript('work-limiter/reset', {
  lua: [serverTimeLua, placesLua, callFirstLua, resetLua],
  keys: ['places', 'rate', 'resets', 'waiting', 'ends', 'channel'],
  args: ['aheadMs', 'publish'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many places are taken, and how many queues wait. */
export const counts = defineScript('work-limiter/counts', {
  lua: [serverTimeLua, countsLua],
  keys: ['places', 'ends'],
  args: [],
  reply: tuple(integer, integer),
  repeat: 'safe',
})

/** Which functions have all of their places still (1), in order. */
export const renew = defineScript('work-limiter/renew', {
  lua: [serverTimeLua, restOfLua, placesLua, renewLua],
  keys: ['...places'],
  args: ['leaseMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})
