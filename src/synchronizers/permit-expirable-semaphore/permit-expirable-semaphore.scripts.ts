import { integer, list, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import numberAtLua from '../../core/lua/number-at.lua'
import rememberLua from '../../core/lua/remember.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import acquireLua from './acquire.lua'
import addPermitsLua from './add-permits.lua'
import countLua from './count.lua'
import leaseTimeLua from './lease-time.lua'
import permitsLua from './permits.lua'
import releaseLua from './release.lua'
import reletLua from './relet.lua'
import renewLua from './renew.lua'
import setPermitsLua from './set-permits.lua'
import trySetPermitsLua from './try-set-permits.lua'
import undoLua from './undo.lua'

const looking = [serverTimeLua, numberAtLua, permitsLua]
const counting = [rememberLua, ...looking]

/**
 * How many of a line have got their permits, how many are free now, in how long the next lease ends (-1: none does), how many are
 * lent, and whether the semaphore is there (1).
 */
export const acquire = defineScript('permit-expirable-semaphore/acquire', {
  lua: [...counting, acquireLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'claims', 'leases', 'initial', 'publish'],
  reply: tuple(integer, integer, integer, integer, integer),
  repeat: 'counting',
})

/** How many permits were released. What was undone once is not undone again. */
export const undo = defineScript('permit-expirable-semaphore/undo', {
  lua: [...counting, undoLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'publish', 'undoneMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the permits were released (1). */
export const release = defineScript('permit-expirable-semaphore/release', {
  lua: [...counting, releaseLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits are free, how many are lent, and whether the semaphore is there (1). */
export const count = defineScript('permit-expirable-semaphore/count', {
  lua: [...looking, countLua],
  keys: ['semaphore', 'timeouts', 'channel'],
  args: ['publish'],
  reply: tuple(integer, integer, integer),
  repeat: 'idempotent',
})

/** Whether the semaphore was not there before (1). */
export const trySetPermits = defineScript('permit-expirable-semaphore/try-set-permits', {
  lua: [...counting, trySetPermitsLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits are free now. */
export const setPermits = defineScript('permit-expirable-semaphore/set-permits', {
  lua: [...counting, setPermitsLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits are free now. */
export const addPermits = defineScript('permit-expirable-semaphore/add-permits', {
  lua: [...counting, addPermitsLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the permit is lent (1). */
export const relet = defineScript('permit-expirable-semaphore/relet', {
  lua: [...counting, reletLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['id', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Milliseconds until the lease ends (-1: never, -2: the permit is not lent). */
export const leaseTime = defineScript('permit-expirable-semaphore/lease-time', {
  lua: [...looking, leaseTimeLua],
  keys: ['semaphore', 'timeouts', 'channel'],
  args: ['id', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** In order, whether each permit is still lent (1). */
export const renew = defineScript('permit-expirable-semaphore/renew', {
  lua: [restOfLua, ...looking, renewLua],
  keys: ['...timeouts'],
  args: ['leaseMs', '...ids'],
  reply: list(integer),
  repeat: 'idempotent',
})
