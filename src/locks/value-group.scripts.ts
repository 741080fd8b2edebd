import { integer, text, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import rememberLua from '../core/lua/request/remember.lua'
import serverTimeLua from '../core/lua/server-time.lua'
import { acquired } from './acquired.js'
import acquireLua from './lua/value-group/acquire.lua'
import forceReleaseLua from './lua/value-group/force-release.lua'
import inspectLua from './lua/value-group/inspect.lua'
import releaseLua from './lua/value-group/release.lua'
import reletLua from './lua/value-group/relet.lua'
import renewLua from './lua/value-group/renew.lua'
import undoLua from './lua/value-group/undo.lua'
import valuesLua from './lua/value-group/values.lua'

/** What a group holds, by the server's clock. */
const holding = [serverTimeLua, valuesLua]

// `values` are the names of the values with a space between them: after a list there is no room for `rememberMs`.

/** Whether all values were taken (1), then the owner's hold count; or else how long that may last. */
export const acquire = defineScript('value-group/acquire', {
  lua: [rememberLua, ...holding, acquireLua],
  keys: ['group', 'request'],
  args: ['leaseMs', 'owner', 'values'],
  reply: acquired,
  counts: true,
})

/** The holds that remain (-1: the owner did not hold all values). */
export const release = defineScript('value-group/release', {
  lua: [rememberLua, ...holding, releaseLua],
  keys: ['group', 'channel', 'request'],
  args: ['owner', 'values', 'leaseMs', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether there was anything to give back (1). */
export const undo = defineScript('value-group/undo', {
  lua: [rememberLua, ...holding, undoLua],
  keys: ['group', 'channel', 'request'],
  args: ['owner', 'values', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether any of the values was held (1). */
export const forceRelease = defineScript('value-group/force-release', {
  lua: [rememberLua, ...holding, forceReleaseLua],
  keys: ['group', 'channel', 'request'],
  args: ['values', 'publish'],
  reply: integer,
  counts: true,
})

/** The longest time left in milliseconds (-2: all are free), who has it, and how often the owner holds all of them. */
export const inspect = defineScript('value-group/inspect', {
  lua: [...holding, inspectLua],
  keys: ['group'],
  args: ['owner', 'values'],
  reply: tuple(integer, text, integer),
  counts: false,
})

/** Whether the owner holds all values (1). */
export const relet = defineScript('value-group/relet', {
  lua: [...holding, reletLua],
  keys: ['group'],
  args: ['owner', 'values', 'leaseMs'],
  reply: integer,
  counts: false,
})

/** Whether the owner still holds all values (1). */
export const renew = defineScript('value-group/renew', {
  lua: [...holding, renewLua],
  keys: ['group'],
  args: ['owner', 'values', 'leaseMs'],
  reply: integer,
  counts: false,
})
