import { integer, list, text, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import rememberLua from '../core/lua/request/remember.lua'
import tookEffectLua from '../core/lua/request/took-effect.lua'
import { acquired } from './acquired.js'
import acquireLua from './lua/lock/acquire.lua'
import forceReleaseLua from './lua/lock/force-release.lua'
import giveBackLua from './lua/lock/give-back.lua'
import holdsOfLua from './lua/lock/holds-of.lua'
import inspectLua from './lua/lock/inspect.lua'
import leaveLua from './lua/lock/leave.lua'
import reentrantLua from './lua/lock/reentrant.lua'
import releaseLua from './lua/lock/release.lua'
import reletLua from './lua/lock/relet.lua'
import renewLua from './lua/lock/renew.lua'
import takeLua from './lua/lock/take.lua'
import undoLua from './lua/lock/undo.lua'
import strictLua from './lua/non-reentrant-lock/strict.lua'

/** What comes before every script that takes a lock: a hash of owner to hold count. */
export const taking = [rememberLua, holdsOfLua, reentrantLua, takeLua]

/** The same, for a lock that refuses the owner who holds it. */
export const takingOnce = [rememberLua, holdsOfLua, strictLua, takeLua]

/** What comes before every script that gives one back. */
export const leaving = [rememberLua, holdsOfLua, giveBackLua, leaveLua]

const acquiring = {
  keys: ['lock', 'request'],
  args: ['leaseMs', 'owner', 'holds'],
  reply: acquired,
  counts: true,
} as const

/** Whether the lock was taken (1), then the owner's hold count; or else how long the present holder still has. */
export const acquire = defineScript('lock/acquire', { lua: [...taking, acquireLua], ...acquiring })

/** The same, or an error that says {@link REACQUIRED}. */
export const acquireOnce = defineScript('non-reentrant-lock/acquire', {
  lua: [...takingOnce, acquireLua],
  ...acquiring,
})

/** What the server says to an owner who holds a lock that cannot be entered twice, as Redisson's does. */
export const REACQUIRED = 'NON_REENTRANT_REACQUIRE'

/** The holds that remain (-1: there were none), whether the heir has the lock (1), and how many heard that it is free. */
export const release = defineScript('lock/release', {
  lua: [...leaving, releaseLua],
  keys: ['lock', 'channel', 'request'],
  args: ['owner', 'holds', 'leaseMs', 'heir', 'heirLeaseMs', 'publish'],
  reply: list(integer),
  counts: true,
})

/** Whether there was anything to give back (1). */
export const undo = defineScript('lock/undo', {
  lua: [rememberLua, tookEffectLua, holdsOfLua, giveBackLua, undoLua],
  keys: ['lock', 'channel', 'request'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether the lock was held (1). */
export const forceRelease = defineScript('lock/force-release', {
  lua: [rememberLua, holdsOfLua, forceReleaseLua],
  keys: ['lock', 'channel', 'request'],
  args: ['publish'],
  reply: integer,
  counts: true,
})

/** Whether the owner holds the lock (1). */
export const relet = defineScript('lock/relet', {
  lua: reletLua,
  keys: ['lock'],
  args: ['owner', 'leaseMs'],
  reply: integer,
  counts: false,
})

/** In order, whether each lock is still held by its owner (1). */
export const renew = defineScript('lock/renew', {
  lua: renewLua,
  keys: ['...locks'],
  args: ['leaseMs', '...owners'],
  reply: list(integer),
  counts: false,
})

/** The time left in milliseconds (-2: the lock is free, -1: it has no end), the owner, and the owner's hold count. */
export const inspect = defineScript('lock/inspect', {
  lua: [holdsOfLua, inspectLua],
  keys: ['lock'],
  args: [],
  reply: tuple(integer, text, integer),
  counts: false,
})
