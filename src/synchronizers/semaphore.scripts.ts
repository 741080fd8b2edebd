import { integer, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import numberAtLua from '../core/lua/number-at.lua'
import rememberLua from '../core/lua/request/remember.lua'
import acquireLua from './lua/semaphore/acquire.lua'
import availableLua from './lua/semaphore/available.lua'
import deleteLua from './lua/semaphore/delete.lua'
import drainLua from './lua/semaphore/drain.lua'
import putBackLua from './lua/semaphore/put-back.lua'
import releaseLua from './lua/semaphore/release.lua'
import trySetPermitsLua from './lua/semaphore/try-set-permits.lua'
import undoLua from './lua/semaphore/undo.lua'

const counting = [rememberLua, numberAtLua]
const puttingBack = [...counting, putBackLua]

/** Whether the permits were taken (1), and how many there are now. */
export const acquire = defineScript('semaphore/acquire', {
  lua: [...counting, acquireLua],
  keys: ['semaphore', 'request'],
  args: ['permits', 'undoableMs'],
  reply: tuple(integer, integer),
  counts: true,
})

/** Whether there was anything to give back (1). What was undone once is not undone again. */
export const undo = defineScript('semaphore/undo', {
  lua: [...puttingBack, undoLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'publish', 'undoneMs'],
  reply: integer,
  counts: false,
})

/** Whether the semaphore has the permits (1). */
export const release = defineScript('semaphore/release', {
  lua: [...puttingBack, releaseLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'ifExists', 'publish'],
  reply: integer,
  counts: true,
})

/** Whether the semaphore was not there before (1). */
export const trySetPermits = defineScript('semaphore/try-set-permits', {
  lua: [...puttingBack, trySetPermitsLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'ttlMs', 'publish'],
  reply: integer,
  counts: true,
})

/** How many permits there were. */
export const drain = defineScript('semaphore/drain', {
  lua: [...counting, drainLua],
  keys: ['semaphore', 'request'],
  args: [],
  reply: integer,
  counts: true,
})

/** How many permits there are. */
export const available = defineScript('semaphore/available', {
  lua: [numberAtLua, availableLua],
  keys: ['semaphore'],
  args: [],
  reply: integer,
  counts: false,
})

/** Whether the semaphore was there (1). */
export const remove = defineScript('semaphore/delete', {
  lua: [...counting, deleteLua],
  keys: ['semaphore', 'request'],
  args: [],
  reply: integer,
  counts: true,
})
