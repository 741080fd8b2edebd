import { integer, list, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import markLua from './mark.lua'
import renewLua from './renew.lua'
import settleLua from './settle.lua'
import unmarkLua from './unmark.lua'

/** Whether the mark is the request's own (1), and until when there shall be no other run, by the server's clock. */
export const mark = defineScript('once/mark', {
  lua: [rememberLua, serverTimeLua, markLua],
  keys: ['mark', 'request'],
  args: ['token', 'lifeMs', 'ttlMs'],
  reply: tuple(integer, integer),
  repeat: 'counting',
})

/** Whether the mark was there (1). What was undone once is not undone again. */
export const unmark = defineScript('once/unmark', {
  lua: [rememberLua, unmarkLua],
  keys: ['mark', 'request'],
  args: ['token', 'undoneMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the mark was still the run's own (1). */
export const settle = defineScript('once/settle', {
  lua: [rememberLua, settleLua],
  keys: ['mark', 'request'],
  args: ['token', 'endsAt'],
  reply: integer,
  repeat: 'counting',
})

/** In order, whether each mark is still its run's own (1). */
export const renew = defineScript('once/renew', {
  lua: [restOfLua, renewLua],
  keys: ['...marks'],
  args: ['leaseMs', '...tokens'],
  reply: list(integer),
  repeat: 'idempotent',
})
