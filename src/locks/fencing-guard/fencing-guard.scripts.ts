import exactIntegerLua from '../../command/lua/exact-integer.lua'
import { integer, list } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import type { Reply } from '../../connection/connection.js'
import acceptLua from './accept.lua'
import lastLua from './last.lua'
import runLua from './run.lua'
import seeLua from './see.lua'
import rememberLua from '../../core/lua/remember.lua'

/** Whether the token was accepted (1), and the largest that had been seen. */
export const accept = defineScript('fencing-guard/accept', {
  lua: [seeLua, acceptLua],
  keys: ['seen'],
  args: ['token'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** Whether the command was carried out (1), the largest token that had been seen, and the reply. */
export const run = defineScript('fencing-guard/run', {
  lua: [rememberLua, exactIntegerLua, seeLua, runLua],
  keys: ['resource', 'seen', 'request'],
  args: ['token', 'command', 'operands'],
  reply: (reply: Reply) => reply as readonly Reply[],
  repeat: 'counting',
})

/** The largest token that was seen; 0 if none was. */
export const last = defineScript('fencing-guard/last', {
  lua: lastLua,
  keys: ['seen'],
  args: [],
  reply: integer,
  repeat: 'safe',
})
