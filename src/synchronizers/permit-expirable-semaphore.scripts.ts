import { integer, list, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import numberAtLua from '../core/lua/number-at.lua'
import rememberLua from '../core/lua/request/remember.lua'
import serverTimeLua from '../core/lua/server-time.lua'
import acquireLua from './lua/permit-expirable-semaphore/acquire.lua'
import addPermitsLua from './lua/permit-expirable-semaphore/add-permits.lua'
import countLua from './lua/permit-expirable-semaphore/count.lua'
import deleteLua from './lua/permit-expirable-semaphore/delete.lua'
import leaseTimeLua from './lua/permit-expirable-semaphore/lease-time.lua'
import permitsLua from './lua/permit-expirable-semaphore/permits.lua'
import releaseLua from './lua/permit-expirable-semaphore/release.lua'
import reletLua from './lua/permit-expirable-semaphore/relet.lua'
import renewLua from './lua/permit-expirable-semaphore/renew.lua'
import setPermitsLua from './lua/permit-expirable-semaphore/set-permits.lua'
import trySetPermitsLua from './lua/permit-expirable-semaphore/try-set-permits.lua'
import undoLua from './lua/permit-expirable-semaphore/undo.lua'

const looking = [serverTimeLua, numberAtLua, permitsLua]
const counting = [rememberLua, ...looking]

/** Whether the permits were taken (1), how many are free now, and in how long the next lease ends (-1: none does). */
export const acquire = defineScript('permit-expirable-semaphore/acquire', {
  lua: [...counting, acquireLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'leaseMs', 'publish'],
  reply: tuple(integer, integer, integer),
  counts: true,
})

/** How many permits were given back. What was undone once is not undone again. */
export const undo = defineScript('permit-expirable-semaphore/undo', {
  lua: [...counting, undoLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'publish', 'undoneMs'],
  reply: integer,
  counts: false,
})

/** Whether the permits were given back (1). */
export const release = defineScript('permit-expirable-semaphore/release', {
  lua: [...counting, releaseLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['ids', 'publish'],
  reply: integer,
  counts: true,
})

/** How many permits are free, how many are lent, and whether the semaphore is there (1). */
export const count = defineScript('permit-expirable-semaphore/count', {
  lua: [...looking, countLua],
  keys: ['semaphore', 'timeouts', 'channel'],
  args: ['publish'],
  reply: tuple(integer, integer, integer),
  counts: false,
})

/** Whether the semaphore was not there before (1). */
export const trySetPermits = defineScript('permit-expirable-semaphore/try-set-permits', {
  lua: [...counting, trySetPermitsLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  counts: true,
})

/** How many permits are free now. */
export const setPermits = defineScript('permit-expirable-semaphore/set-permits', {
  lua: [...counting, setPermitsLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  counts: true,
})

/** How many permits are free now. */
export const addPermits = defineScript('permit-expirable-semaphore/add-permits', {
  lua: [...counting, addPermitsLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether the permit is lent (1). */
export const relet = defineScript('permit-expirable-semaphore/relet', {
  lua: [...counting, reletLua],
  keys: ['semaphore', 'timeouts', 'channel', 'request'],
  args: ['id', 'leaseMs', 'publish'],
  reply: integer,
  counts: true,
})

/** Milliseconds until the lease ends (-1: never, -2: the permit is not lent). */
export const leaseTime = defineScript('permit-expirable-semaphore/lease-time', {
  lua: [...looking, leaseTimeLua],
  keys: ['semaphore', 'timeouts', 'channel'],
  args: ['id', 'publish'],
  reply: integer,
  counts: false,
})

/** In order, whether each permit is still lent (1). */
export const renew = defineScript('permit-expirable-semaphore/renew', {
  lua: [...looking, renewLua],
  keys: ['...timeouts'],
  args: ['leaseMs', '...ids'],
  reply: list(integer),
  counts: false,
})

/** Whether the semaphore was there (1). */
export const remove = defineScript('permit-expirable-semaphore/delete', {
  lua: [rememberLua, numberAtLua, deleteLua],
  keys: ['semaphore', 'timeouts', 'request'],
  args: [],
  reply: integer,
  counts: true,
})
