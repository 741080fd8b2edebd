import { defineScript } from '../command/script.js'
import { integer, list, text, tuple } from '../command/replies.js'
import acquireLua from './lua/lock/acquire.lua'
import forceReleaseLua from './lua/lock/force-release.lua'
import giveBackLua from './lua/lock/give-back.lua'
import holdsOfLua from './lua/lock/holds-of.lua'
import inspectLua from './lua/lock/inspect.lua'
import releaseLua from './lua/lock/release.lua'
import renewLua from './lua/lock/renew.lua'
import undoLua from './lua/lock/undo.lua'
import rememberLua from './lua/request/remember.lua'

/** Whether the lock was taken (1), then the owner's hold count; or else how long the present holder still has. */
export const acquire = defineScript('lock/acquire', {
  lua: [rememberLua, holdsOfLua, acquireLua],
  keys: ['lock', 'request'],
  args: ['leaseMs', 'owner', 'holds'],
  reply: tuple(integer, integer),
  counts: true,
})

/** The holds that remain (-1: there were none), whether the heir has the lock (1), and how many heard that it is free. */
export const release = defineScript('lock/release', {
  lua: [rememberLua, holdsOfLua, giveBackLua, releaseLua],
  keys: ['lock', 'channel', 'request'],
  args: ['owner', 'holds', 'leaseMs', 'heir', 'heirLeaseMs', 'publish'],
  reply: tuple(integer, integer, integer),
  counts: true,
})

/** Whether there was anything to give back (1). */
export const undo = defineScript('lock/undo', {
  lua: [rememberLua, holdsOfLua, giveBackLua, undoLua],
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
