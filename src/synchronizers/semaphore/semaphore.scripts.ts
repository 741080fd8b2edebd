import { integer, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import numberAtLua from '../../core/lua/number-at.lua'
import rememberLua from '../../core/lua/remember.lua'
import acquireLua from './acquire.lua'
import availableLua from './available.lua'
import drainLua from './drain.lua'
import putBackLua from './put-back.lua'
import releaseLua from './release.lua'
import trySetPermitsLua from './try-set-permits.lua'
import undoLua from './undo.lua'

const counting = [rememberLua, numberAtLua]
const puttingBack = [...counting, putBackLua]

/** How many of a line have got their permits, how many there are now, and whether the semaphore is there (1). */
export const acquire = defineScript('semaphore/acquire', {
  lua: [...counting, acquireLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['claims', 'initial', 'undoableMs', 'publish'],
  reply: tuple(integer, integer, integer),
  repeat: 'counting',
})

/** Whether there was anything to release (1). What was undone once is not undone again. */
export const undo = defineScript('semaphore/undo', {
  lua: [...puttingBack, undoLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['publish', 'undoneMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the semaphore has the permits (1), and how many clients heard of them. */
export const release = defineScript('semaphore/release', {
  lua: [...puttingBack, releaseLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'ifExists', 'publish'],
  reply: tuple(integer, integer),
  repeat: 'counting',
})

/** Whether the semaphore was not there before (1). */
export const trySetPermits = defineScript('semaphore/try-set-permits', {
  lua: [...puttingBack, trySetPermitsLua],
  keys: ['semaphore', 'channel', 'request'],
  args: ['permits', 'ttlMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many permits there were. */
export const drain = defineScript('semaphore/drain', {
  lua: [...counting, drainLua],
  keys: ['semaphore', 'request'],
  args: [],
  reply: integer,
  repeat: 'counting',
})

/** How many permits there are. */
export const available = defineScript('semaphore/available', {
  lua: [numberAtLua, availableLua],
  keys: ['semaphore'],
  args: [],
  reply: integer,
  repeat: 'safe',
})
