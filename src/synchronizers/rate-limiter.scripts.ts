import { integer, list, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import rememberLua from '../core/lua/request/remember.lua'
import serverTimeLua from '../core/lua/server-time.lua'
import acquireLua from './lua/rate-limiter/acquire.lua'
import availableLua from './lua/rate-limiter/available.lua'
import configLua from './lua/rate-limiter/config.lua'
import deleteLua from './lua/rate-limiter/delete.lua'
import grantsLua from './lua/rate-limiter/grants.lua'
import releaseLua from './lua/rate-limiter/release.lua'
import setRateLua from './lua/rate-limiter/set-rate.lua'
import settingsLua from './lua/rate-limiter/settings.lua'
import undoLua from './lua/rate-limiter/undo.lua'

/** What a request is refused with where there is no rate. */
export const NOT_SET = 'RATE_NOT_SET'

/** What a request is refused with that asks for more than is ever granted. */
export const TOO_LOW = 'RATE_TOO_LOW'

const all = [rememberLua, serverTimeLua, settingsLua, grantsLua]
const keys = ['limiter', 'value', 'clientValue', 'grants', 'clientGrants', 'request'] as const

/** Whether the permits were granted (1), how many are left, and in how many milliseconds there will be enough. */
export const acquire = defineScript('rate-limiter/acquire', {
  lua: [...all, acquireLua],
  keys,
  args: ['permits', 'nonce'],
  reply: tuple(integer, integer, integer),
  counts: true,
})

/** Whether there was anything to take back (1). What was undone once is not undone again. */
export const undo = defineScript('rate-limiter/undo', {
  lua: [...all, undoLua],
  keys: ['value', 'clientValue', 'grants', 'clientGrants', 'request'],
  args: ['permits', 'nonce', 'undoneMs'],
  reply: integer,
  counts: false,
})

/** Whether the rate was set (1). */
export const setRate = defineScript('rate-limiter/set-rate', {
  lua: [...all, setRateLua],
  keys,
  args: ['mode', 'rate', 'intervalMs', 'keepAliveMs', 'onlyIf', 'keepState'],
  reply: integer,
  counts: true,
})

/** How many permits are left. */
export const release = defineScript('rate-limiter/release', {
  lua: [...all, releaseLua],
  keys: ['limiter', 'value', 'clientValue', 'request'],
  args: ['permits'],
  reply: integer,
  counts: true,
})

/** How many permits are left. */
export const available = defineScript('rate-limiter/available', {
  lua: [...all, availableLua],
  keys: ['limiter', 'value', 'clientValue', 'grants', 'clientGrants'],
  args: [],
  reply: integer,
  counts: false,
})

/** Mode (0 overall, 1 per client), rate, interval and keep-alive time; nothing if there is no limiter. */
export const config = defineScript('rate-limiter/config', {
  lua: [settingsLua, configLua],
  keys: ['limiter'],
  args: [],
  reply: list(integer),
  counts: false,
})

/** Whether the limiter was there (1). */
export const remove = defineScript('rate-limiter/delete', {
  lua: [rememberLua, settingsLua, deleteLua],
  keys,
  args: [],
  reply: integer,
  counts: true,
})
