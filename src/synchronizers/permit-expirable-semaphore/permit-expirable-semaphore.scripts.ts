import { integer, list, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import numberAtLua from '../../core/lua/number-at.lua'
import rememberLua from '../../core/lua/remember.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import acquireLua from './lua/acquire.lua'
import acquireSomeLua from './lua/acquire-some.lua'
import addPermitsLua from './lua/add-permits.lua'
import countLua from './lua/count.lua'
import leaseTimeLua from './lua/lease-time.lua'
import permitsLua from './lua/permits.lua'
import releaseLua from './lua/release.lua'
import releaseSomeLua from './lua/release-some.lua'
import reletLua from './lua/relet.lua'
import renewLua from './lua/renew.lua'
import setPermitsLua from './lua/set-permits.lua'
import trySetPermitsLua from './lua/try-set-permits.lua'
import undoLua from './lua/undo.lua'

const looking = [serverTimeLua, numberAtLua, permitsLua]
const counting = [rememberLua, ...looking]

/**
 * How many of a line have got their permits, how many are free now, in how long the next lease ends (-1: none does), how many are
 * lent, and whether the semaphore is there (1).
 */
export const acquire = defineScript('permit-expirable-semaphore/acquire', {
  first: acquireLua,
  lua: [...counting, acquireSomeLua],
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
  first: releaseLua,
  lua: [...counting, releaseSomeLua],
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
