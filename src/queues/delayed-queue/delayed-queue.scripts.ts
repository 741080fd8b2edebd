import { defineCommand } from '../../command/operation/command.js'
import { boolean, bytes, integer, list, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import givenKeysLua from '../../core/lua/object/given-keys.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { scriptsOfAllKeys } from '../../core/redisson-object.scripts.js'
import containsAllLua from '../../collections/list/contains-all.lua'
import markLua from './lua/mark.lua'
import removeDueLua from './lua/remove-due.lua'
import removeRecordsLua from './lua/remove-records.lua'
import valueOfLua from './lua/value-of.lua'
import wakeTransfersLua from './lua/wake-transfers.lua'
import offerLua from './offer.lua'
import pollLastToLua from './poll-last-to.lua'
import pollLua from './poll.lua'
import removeLua from './remove.lua'
import retainAllLua from './retain-all.lua'
import transferLua from './transfer.lua'

const keys = ['records', 'dueTimes'] as const
const removing = [inPartsLua, valueOfLua, markLua, removeRecordsLua] as const

export const offer = defineScript('delayed-queue/offer', {
  lua: [serverTimeLua, wakeTransfersLua, offerLua],
  keys,
  args: ['record', 'delayMs', 'channel', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** In how many milliseconds the next element is due, -1 if none waits, and the time of the server. A copy moves what is due by then. */
export const transfer = defineScript('delayed-queue/transfer', {
  lua: [inPartsLua, serverTimeLua, valueOfLua, markLua, removeDueLua, transferLua],
  keys: ['queue', 'dueTimes', 'records'],
  args: ['most'],
  reply: tuple(integer, integer),
  repeat: 'idempotent',
})

/** The records, in the order in which they were offered. */
export const poll = defineScript('delayed-queue/poll', {
  lua: pollLua,
  keys,
  args: ['count'],
  reply: list(bytes),
  repeat: 'counting',
})

/** The record of the element that became the head of the target. */
export const pollLastTo = defineScript('delayed-queue/poll-last-to', {
  lua: [valueOfLua, pollLastToLua],
  keys: [...keys, 'target'],
  args: [],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** Whether any record was removed (1). */
export const remove = defineScript('delayed-queue/remove', {
  lua: [restOfLua, ...removing, removeLua],
  keys,
  args: ['most', '...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any record was removed (1). */
export const retainAll = defineScript('delayed-queue/retain-all', {
  lua: [...removing, retainAllLua],
  keys,
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether all values were found (1). */
export const containsAll = defineScript('delayed-queue/contains-all', {
  lua: [valueOfLua, containsAllLua],
  keys: ['list'],
  args: ['...values'],
  reply: boolean,
  repeat: 'safe',
})

/** Whether any element waits (1). */
export const hasAny = defineCommand('EXISTS', {
  keys: ['dueTimes'],
  args: [],
  reply: boolean,
  repeat: 'safe',
})

export const ofAllKeys = scriptsOfAllKeys('delayed-queue', givenKeysLua, wakeTransfersLua)

export const { remove: removeObject, touch, size, rename, copy, move } = ofAllKeys
