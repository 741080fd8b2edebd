import { boolean, bytes, integer, list } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import containsAllLua from '../../collections/list/contains-all.lua'
import pushLua from '../../collections/list/push.lua'
import removeAllLua from '../../collections/list/remove-all.lua'
import removeWhereLua from '../../collections/list/remove-where.lua'
import retainAllLua from '../../collections/list/retain-all.lua'
import inPartsLua from '../../core/lua/in-parts.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import countLua from './count.lua'
import findLua from './find.lua'
import indexOfLua from './index-of.lua'
import offerToWaitingLua from './offer-to-waiting.lua'
import removeLua from './remove.lua'
import takeLua from './take.lua'
import valueOfLua from './value-of.lua'
import waitLua from './wait.lua'
import waitingLua from './waiting.lua'

const queue = ['queue'] as const
const withConsumers = ['queue', 'consumers'] as const

/** The records that were taken, in their order. */
export const take = defineScript('transfer-queue/take', {
  lua: takeLua,
  keys: queue,
  args: ['count', 'channel', 'publish'],
  reply: list(bytes),
  repeat: 'counting',
})

/** Whether the record was added (1). */
export const offerToWaiting = defineScript('transfer-queue/offer-to-waiting', {
  lua: [serverTimeLua, countLua, offerToWaitingLua],
  keys: withConsumers,
  args: ['record'],
  reply: boolean,
  repeat: 'counting',
})

/** How many elements there are. */
export const wait = defineScript('transfer-queue/wait', {
  lua: [serverTimeLua, waitLua],
  keys: withConsumers,
  args: ['process', 'number', 'leaseMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many consumers wait. */
export const waiting = defineScript('transfer-queue/waiting', {
  lua: [serverTimeLua, countLua, waitingLua],
  keys: withConsumers,
  args: [],
  reply: integer,
  repeat: 'safe',
})

/** The index of the first element that has the value; -1 if there is none. */
export const find = defineScript('transfer-queue/find', {
  lua: [valueOfLua, indexOfLua, findLua],
  keys: queue,
  args: ['value'],
  reply: integer,
  repeat: 'safe',
})

/** Whether an element was removed (1). */
export const remove = defineScript('transfer-queue/remove', {
  lua: [valueOfLua, indexOfLua, removeLua],
  keys: queue,
  args: ['value', 'channel', 'publish'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any element was removed (1). */
export const removeAll = defineScript('transfer-queue/remove-all', {
  lua: [valueOfLua, inPartsLua, pushLua, removeWhereLua, removeAllLua],
  keys: ['list'],
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any element was removed (1). */
export const retainAll = defineScript('transfer-queue/retain-all', {
  lua: [valueOfLua, inPartsLua, pushLua, removeWhereLua, retainAllLua],
  keys: ['list'],
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether all values were found (1). */
export const containsAll = defineScript('transfer-queue/contains-all', {
  lua: [valueOfLua, containsAllLua],
  keys: ['list'],
  args: ['...values'],
  reply: boolean,
  repeat: 'safe',
})
