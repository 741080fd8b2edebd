import { integer, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { acquired, released } from '../shared/engine/acquire-reply.js'
import acquireLua from './acquire.lua'
import acquireBesideLua from './acquire-beside.lua'
import forceReleaseLua from './force-release.lua'
import inspectLua from './inspect.lua'
import releaseLua from './release.lua'
import releaseSomeLua from './release-some.lua'
import reletLua from './relet.lua'
import renewLua from './renew.lua'
import undoLua from './undo.lua'
import valuesLua from './values.lua'

/** What a group holds, by the server's clock. */
const holding = [serverTimeLua, valuesLua]

// `values` are the names of the values with a space between them: after a list there is no room for `rememberMs`.

/** Whether all values were taken (1), then the owner's hold count; or else how long that may last. */
export const acquire = defineScript('value-group/acquire', {
  first: acquireLua,
  lua: [rememberLua, ...holding, acquireBesideLua],
  keys: ['group', 'request'],
  args: ['leaseMs', 'owner', 'values', 'most'],
  reply: acquired,
  repeat: 'counting',
})

/** The holds that remain (-1: the owner did not hold all values), and how many clients heard that some are free. */
export const release = defineScript('value-group/release', {
  first: releaseLua,
  lua: [rememberLua, ...holding, releaseSomeLua],
  keys: ['group', 'channel', 'request'],
  args: ['owner', 'values', 'partly', 'least', 'most', 'leaseMs', 'publish'],
  reply: released,
  repeat: 'counting',
})

/** Whether there was anything to release (1). */
export const undo = defineScript('value-group/undo', {
  lua: [rememberLua, ...holding, undoLua],
  keys: ['group', 'channel', 'request'],
  args: ['owner', 'values', 'least', 'most', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether any of the values was held (1). */
export const forceRelease = defineScript('value-group/force-release', {
  lua: [rememberLua, ...holding, forceReleaseLua],
  keys: ['group', 'channel', 'request'],
  args: ['values', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** The longest time left in milliseconds (-2: all are free), who has it, and how often the owner holds all of them. */
export const inspect = defineScript('value-group/inspect', {
  lua: [...holding, inspectLua],
  keys: ['group'],
  args: ['owner', 'values'],
  reply: tuple(integer, text, integer),
  repeat: 'safe',
})

/** Whether the owner holds all values (1). */
export const relet = defineScript('value-group/relet', {
  lua: [...holding, reletLua],
  keys: ['group', 'channel'],
  args: ['owner', 'values', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the owner still holds all values (1). */
export const renew = defineScript('value-group/renew', {
  lua: [...holding, renewLua],
  keys: ['group'],
  args: ['owner', 'values', 'leaseMs'],
  reply: integer,
  repeat: 'idempotent',
})
