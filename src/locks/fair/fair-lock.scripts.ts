import { integer, list } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import tookEffectLua from '../../core/lua/took-effect.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { acquired, tookOver } from '../shared/engine/acquire-reply.js'
import { leaving, taking, takingOnce } from '../reentrant/lock.scripts.js'
import acquireLua from './acquire.lua'
import acquireInTurnLua from './acquire-in-turn.lua'
import forceReleaseLua from './force-release.lua'
import keepWaitingLua from './keep-waiting.lua'
import leaveLua from './leave.lua'
import fairQueueLua from './queue.lua'
import releaseLua from './release.lua'
import releaseInTurnLua from './release-in-turn.lua'
import takeOverLua from './take-over.lua'
import undoLua from './undo.lua'
import giveBackLua from '../reentrant/lua/give-back.lua'
import holdsOfLua from '../reentrant/lua/holds-of.lua'

/** The queue, which uses the server's clock. */
const queueing = [serverTimeLua, fairQueueLua]

const acquiring = {
  first: acquireLua,
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats'],
  args: ['leaseMs', 'owner', 'holds', 'stale', 'patient', 'aliveMs', 'foreignWaitMs'],
  reply: acquired,
  repeat: 'counting',
} as const

/** Takes the lock. Returns 1 and the owner's hold count; otherwise how long to wait, in the queue if patient. */
export const acquire = defineScript('fair-lock/acquire', {
  lua: [...taking, ...queueing, acquireInTurnLua],
  ...acquiring,
})

/** The same, but returns an error to the owner who holds the lock. */
export const acquireOnce = defineScript('non-reentrant-fair-lock/acquire', {
  lua: [...takingOnce, ...queueing, acquireInTurnLua],
  ...acquiring,
})

/**
 * Takes the lock over from its owner. Returns whether it was (1), then the hold count or how long to wait, and what became of that owner's hold.
 */
export const takeOver = defineScript('fair-lock/take-over', {
  lua: [rememberLua, ...queueing, takeOverLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['leaseMs', 'owner', 'predecessor', 'aliveMs', 'publish'],
  reply: tookOver,
  repeat: 'counting',
})

/** Releases one hold. Returns the holds that remain; -1 if there were none. */
export const release = defineScript('fair-lock/release', {
  first: releaseLua,
  lua: [...leaving, ...queueing, releaseInTurnLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'stale', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Undoes an acquisition. Returns whether there was anything to release (1). */
export const undo = defineScript('fair-lock/undo', {
  lua: [rememberLua, tookEffectLua, holdsOfLua, giveBackLua, ...queueing, undoLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Frees the lock, whoever holds it. Returns whether it was held (1). */
export const forceRelease = defineScript('fair-lock/force-release', {
  lua: [rememberLua, holdsOfLua, ...queueing, forceReleaseLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['publish'],
  reply: integer,
  repeat: 'counting',
})

/** Leaves the queue. Returns whether the owner was in it (1). A copy does not remove the place that the same owner has taken since. */
export const leave = defineScript('fair-lock/leave', {
  lua: [rememberLua, ...queueing, leaveLua],
  keys: ['lock', 'request', 'queue', 'timeouts', 'heartbeats', 'channel'],
  args: ['owner', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Keeps waiters in their queues. Returns, in order, whether each of them is in its queue (1), whether it is its turn (2), or neither (0). */
export const keepWaiting = defineScript('fair-lock/keep-waiting', {
  lua: [restOfLua, ...queueing, keepWaitingLua],
  keys: ['...places'],
  args: ['aliveMs', 'foreignWaitMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})
