import { integer, list, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import tookEffectLua from '../../core/lua/took-effect.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import { acquired, released, tookOver } from '../shared/engine/acquire-reply.js'
import acquireLua from './lua/acquire.lua'
import acquireAgainLua from './lua/acquire-again.lua'
import countAfterLua from './lua/count-after.lua'
import forceReleaseLua from './lua/force-release.lua'
import giveBackLua from './lua/give-back.lua'
import holdsOfLua from './lua/holds-of.lua'
import inspectLua from './lua/inspect.lua'
import leaveLua from './lua/leave.lua'
import reentrantLua from './lua/reentrant.lua'
import releaseLua from './lua/release.lua'
import releaseSomeLua from './lua/release-some.lua'
import replaceLua from './lua/replace.lua'
import reletLua from './lua/relet.lua'
import renewLua from './lua/renew.lua'
import takeLua from './lua/take.lua'
import takeOverLua from './lua/take-over.lua'
import undoLua from './lua/undo.lua'
import strictLua from './lua/strict.lua'

/** What comes before every script that takes a lock: a hash of owner to hold count. */
export const taking = [rememberLua, holdsOfLua, countAfterLua, reentrantLua, takeLua]

/** The same, for a lock that refuses the owner who holds it. */
export const takingOnce = [rememberLua, holdsOfLua, countAfterLua, strictLua, takeLua]

/** What comes before every script that gives one back. */
export const leaving = [rememberLua, holdsOfLua, countAfterLua, giveBackLua, leaveLua]

/** The same for one owner that takes it over from another. */
export const replacing = [rememberLua, replaceLua]

const acquiring = {
  first: acquireLua,
  keys: ['lock', 'request'],
  args: ['leaseMs', 'owner', 'holds', 'stale'],
  reply: acquired,
  repeat: 'counting',
} as const

/** Whether the lock was taken (1), then the owner's hold count; or else how long the present holder still has. */
export const acquire = defineScript('lock/acquire', { lua: [...taking, acquireAgainLua], ...acquiring })

/** The same, or an error that says that the lock is held by this owner. */
export const acquireOnce = defineScript('non-reentrant-lock/acquire', {
  lua: [...takingOnce, acquireAgainLua],
  ...acquiring,
})

/** Whether the lock was taken over from its owner (1), then the hold count or the time left, and what became of that owner's hold. */
export const takeOver = defineScript('lock/take-over', {
  lua: [...replacing, takeOverLua],
  keys: ['lock', 'request'],
  args: ['leaseMs', 'owner', 'predecessor'],
  reply: tookOver,
  repeat: 'counting',
})

/** The holds that remain (-1: there were none), and how many clients heard that it is free. */
export const release = defineScript('lock/release', {
  first: releaseLua,
  lua: [...leaving, releaseSomeLua],
  keys: ['lock', 'channel', 'request'],
  args: ['owner', 'holds', 'stale', 'leaseMs', 'publish'],
  reply: released,
  repeat: 'counting',
})

/** Whether there was anything to release (1). */
export const undo = defineScript('lock/undo', {
  lua: [rememberLua, tookEffectLua, holdsOfLua, giveBackLua, undoLua],
  keys: ['lock', 'channel', 'request'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the lock was held (1). */
export const forceRelease = defineScript('lock/force-release', {
  lua: [rememberLua, holdsOfLua, forceReleaseLua],
  keys: ['lock', 'channel', 'request'],
  args: ['publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the owner holds the lock (1). */
export const relet = defineScript('lock/relet', {
  lua: reletLua,
  keys: ['lock', 'channel'],
  args: ['owner', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** In order, whether each lock is still held by its owner (1). */
export const renew = defineScript('lock/renew', {
  lua: [restOfLua, renewLua],
  keys: ['...locks'],
  args: ['leaseMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** The time left in milliseconds (-2: the lock is free, -1: it has no end), the owner, and the owner's hold count. */
export const inspect = defineScript('lock/inspect', {
  lua: [holdsOfLua, inspectLua],
  keys: ['lock'],
  args: [],
  reply: tuple(integer, text, integer),
  repeat: 'safe',
})
