import { integer, list } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import tookEffectLua from '../../core/lua/took-effect.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { acquired, tookOver } from '../shared/engine/acquire-reply.js'
import { leaving, taking, takingOnce } from '../reentrant/lock.scripts.js'
import acquireLua from './acquire.lua'
import forceReleaseLua from './force-release.lua'
import keepWaitingLua from './keep-waiting.lua'
import leaveLua from './leave.lua'
import fairQueueLua from './queue.lua'
import releaseLua from './release.lua'
import takeOverLua from './take-over.lua'
import undoLua from './undo.lua'
import giveBackLua from '../reentrant/give-back.lua'
import holdsOfLua from '../reentrant/holds-of.lua'

/** The queue, which uses the server's clock. */
const queueing = [serverTimeLua, fairQueueLua]

const acquiring = {
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats'],
  args: ['leaseMs', 'owner', 'holds', 'stale', 'patient', 'aliveMs', 'foreignWaitMs'],
  reply: acquired,
  repeat: 'counting',
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

/** Whether the lock was taken over from its owner (1), then the hold count or how long to wait, and what became of that owner's hold. */
export const takeOver = defineScript('fair-lock/take-over', {
  lua: [rememberLua, ...queueing, takeOverLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['leaseMs', 'owner', 'predecessor', 'aliveMs', 'publish'],
  reply: tookOver,
  repeat: 'counting',
})

/** The holds that remain; -1 if there were none. */
export const release = defineScript('fair-lock/release', {
  lua: [...leaving, ...queueing, releaseLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'stale', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether there was anything to release (1). */
export const undo = defineScript('fair-lock/undo', {
  lua: [rememberLua, tookEffectLua, holdsOfLua, giveBackLua, ...queueing, undoLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the lock was held (1). */
export const forceRelease = defineScript('fair-lock/force-release', {
  lua: [rememberLua, holdsOfLua, ...queueing, forceReleaseLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the owner was in the queue (1). A copy does not remove the place that the same owner has taken since. */
export const leave = defineScript('fair-lock/leave', {
  lua: [rememberLua, ...queueing, leaveLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** In order, whether each waiter is in its queue (1), whether it is its turn (2), or neither (0). */
export const keepWaiting = defineScript('fair-lock/keep-waiting', {
  lua: [restOfLua, ...queueing, keepWaitingLua],
  keys: ['...places'],
  args: ['aliveMs', 'foreignWaitMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})
