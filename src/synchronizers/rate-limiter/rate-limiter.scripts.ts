import { integer, list, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import acquireLua from './acquire.lua'
import availableLua from './available.lua'
import configLua from './config.lua'
import grantsLua from './grants.lua'
import releaseLua from './release.lua'
import setRateLua from './set-rate.lua'
import settingsLua from './settings.lua'
import undoLua from './undo.lua'

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
  args: ['permits', 'nonce', 'exact', 'mode', 'rate', 'intervalMs', 'keepAliveMs'],
  reply: tuple(integer, integer, integer),
  repeat: 'counting',
})

/** Whether there was anything to take back (1). What was undone once is not undone again. */
export const undo = defineScript('rate-limiter/undo', {
  lua: [...all, undoLua],
  keys: ['value', 'clientValue', 'grants', 'clientGrants', 'request'],
  args: ['permits', 'nonce', 'undoneMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the rate was set (1). */
export const setRate = defineScript('rate-limiter/set-rate', {
  lua: [...all, setRateLua],
  keys,
  args: ['mode', 'rate', 'intervalMs', 'keepAliveMs', 'onlyIf', 'keepState'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits are left. */
export const release = defineScript('rate-limiter/release', {
  lua: [...all, releaseLua],
  keys,
  args: ['permits'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits are left. */
export const available = defineScript('rate-limiter/available', {
  lua: [...all, availableLua],
  keys: ['limiter', 'value', 'clientValue', 'grants', 'clientGrants'],
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

/** Mode (0 overall, 1 per client), rate, interval and keep-alive time; nothing if there is no limiter. */
export const config = defineScript('rate-limiter/config', {
  lua: [settingsLua, configLua],
  keys: ['limiter'],
  args: [],
  reply: list(integer),
  repeat: 'safe',
})
