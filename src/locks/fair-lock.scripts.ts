import { integer, list } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import rememberLua from '../core/lua/request/remember.lua'
import tookEffectLua from '../core/lua/request/took-effect.lua'
import serverTimeLua from '../core/lua/server-time.lua'
import { acquired } from './acquired.js'
import { leaving, taking, takingOnce } from './lock.scripts.js'
import acquireLua from './lua/fair-lock/acquire.lua'
import forceReleaseLua from './lua/fair-lock/force-release.lua'
import keepWaitingLua from './lua/fair-lock/keep-waiting.lua'
import leaveLua from './lua/fair-lock/leave.lua'
import fairQueueLua from './lua/fair-lock/queue.lua'
import releaseLua from './lua/fair-lock/release.lua'
import undoLua from './lua/fair-lock/undo.lua'
import giveBackLua from './lua/lock/give-back.lua'
import holdsOfLua from './lua/lock/holds-of.lua'

/** The queue, which goes by the server's clock. */
const queueing = [serverTimeLua, fairQueueLua]

const acquiring = {
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats'],
  args: ['leaseMs', 'owner', 'holds', 'patient', 'aliveMs', 'foreignWaitMs'],
  reply: acquired,
  counts: true,
} as const

/** Whether the lock was taken (1), then the owner's hold count; or else how long to wait, in the queue if patient. */
export const acquire = defineScript('fair-lock/acquire', {
  lua: [...taking, ...queueing, acquireLua],
  ...acquiring,
})

/** The same, or an error for the owner who holds the lock. */
export const acquireOnce = defineScript('non-reentrant-fair-lock/acquire', {
  lua: [...takingOnce, ...queueing, acquireLua],
  ...acquiring,
})

/** The holds that remain; -1 if there were none. */
export const release = defineScript('fair-lock/release', {
  lua: [...leaving, ...queueing, releaseLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'leaseMs', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether there was anything to give back (1). */
export const undo = defineScript('fair-lock/undo', {
  lua: [rememberLua, tookEffectLua, holdsOfLua, giveBackLua, ...queueing, undoLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether the lock was held (1). */
export const forceRelease = defineScript('fair-lock/force-release', {
  lua: [rememberLua, holdsOfLua, ...queueing, forceReleaseLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['publish'],
  reply: integer,
  counts: true,
})

/** Whether the owner was in the queue (1). */
export const leave = defineScript('fair-lock/leave', {
  lua: [...queueing, leaveLua],
  keys: ['lock', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'publish'],
  reply: integer,
  counts: false,
})

/** In order, whether each waiter is in its queue (1), whether it is its turn (2), or neither (0). */
export const keepWaiting = defineScript('fair-lock/keep-waiting', {
  lua: [...queueing, keepWaitingLua],
  keys: ['...places'],
  args: ['aliveMs', 'foreignWaitMs', '...owners'],
  reply: list(integer),
  counts: false,
})
