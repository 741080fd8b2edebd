import { boolean, bytes, integer, list, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import pushLua from '../../collections/list/push.lua'
import removeWhereLua from '../../collections/list/remove-where.lua'
import inPartsLua from '../../core/lua/in-parts.lua'
import numberAtLua from '../../core/lua/number-at.lua'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import clearLua from './lua/clear.lua'
import moveBackLua from './lua/move-back.lua'
import moveLua from './lua/move.lua'
import offerLua from './lua/offer.lua'
import placesLua from './lua/places.lua'
import pollLua from './lua/poll.lua'
import putBackLua from './lua/put-back.lua'
import remainingLua from './lua/remaining.lua'
import removeLua from './lua/remove.lua'
import removeSomeLua from './lua/remove-some.lua'
import setCapacityLua from './lua/set-capacity.lua'

const keys = ['queue', 'places', 'channel'] as const
const counting = [numberAtLua, serverTimeLua, expiresAtLua, placesLua] as const

/** Whether there was room, so that the values were added (1), and the capacity; undefined if none was set. */
export const offer = defineScript('bounded-blocking-queue/offer', {
  lua: [...counting, offerLua],
  keys: ['queue', 'places'],
  args: ['...values'],
  reply: nullable(tuple(boolean, integer)),
  repeat: 'counting',
})

/** Which queue it is, and what was removed; undefined if all are empty. `queues` are three keys for each. */
export const poll = defineScript('bounded-blocking-queue/poll', {
  lua: [...counting, pollLua],
  keys: ['...queues'],
  args: ['pop', 'count', 'publish'],
  reply: nullable(tuple(integer, list(bytes))),
  repeat: 'counting',
})

/** How many elements were put back. */
export const putBack = defineScript('bounded-blocking-queue/put-back', {
  lua: [restOfLua, ...counting, putBackLua],
  keys: ['queue', 'places'],
  args: ['push', '...values'],
  reply: integer,
  repeat: 'counting',
})

/** The elements that were moved. */
export const move = defineScript('bounded-blocking-queue/move', {
  lua: [...counting, moveLua],
  keys: [...keys, 'target', 'targetPlaces'],
  args: ['pop', 'push', 'count', 'exactly', 'publish'],
  reply: list(bytes),
  repeat: 'counting',
})

/** How many elements were put back. */
export const moveBack = defineScript('bounded-blocking-queue/move-back', {
  lua: [restOfLua, ...counting, moveBackLua],
  keys: ['queue', 'places', 'target', 'targetPlaces', 'targetChannel'],
  args: ['push', 'from', 'publish', '...values'],
  reply: integer,
  repeat: 'counting',
})

/** How many elements were removed. */
export const remove = defineScript('bounded-blocking-queue/remove', {
  lua: [...counting, removeLua],
  keys,
  args: ['count', 'value', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether any element was removed (1). */
export const removeSome = defineScript('bounded-blocking-queue/remove-some', {
  lua: [restOfLua, inPartsLua, pushLua, removeWhereLua, ...counting, removeSomeLua],
  keys,
  args: ['retains', 'publish', '...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether there was any element (1). */
export const clear = defineScript('bounded-blocking-queue/clear', {
  lua: [...counting, clearLua],
  keys,
  args: ['publish'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether the capacity was set (1). A copy of it that finds one cannot know which client has set it. */
export const setCapacity = defineScript('bounded-blocking-queue/set-capacity', {
  lua: [numberAtLua, serverTimeLua, expiresAtLua, setCapacityLua],
  keys,
  args: ['capacity', 'publish'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many more elements there may be; undefined if no capacity was set. */
export const remaining = defineScript('bounded-blocking-queue/remaining', {
  lua: [numberAtLua, remainingLua],
  keys: ['queue', 'places'],
  args: [],
  reply: nullable(integer),
  repeat: 'safe',
})
