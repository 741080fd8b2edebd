import { defineCommand } from '../../../command/command.js'
import { boolean, bytes, integer, nullable, pairs, tuple } from '../../../command/replies.js'
import { defineScript } from '../../../command/script.js'
import restOfLua from '../../../core/lua/rest-of.lua'
import serverTimeLua from '../../../core/lua/server-time.lua'
import changeLua from './change.lua'
import extendLua from './extend.lua'
import noteLua from './note.lua'
import postponeLua from './postpone.lua'
import putAllLua from './put-all.lua'
import removeAllLua from './remove-all.lua'
import settleLua from './settle.lua'
import takeLua from './take.lua'

const all = ['map', 'states', 'due', 'claimed'] as const
const noted = ['states', 'due', 'claimed'] as const

/** Whether the entry was changed (1). */
export const change = defineScript('map/behind/change', {
  lua: [serverTimeLua, noteLua, changeLua],
  keys: all,
  args: ['field', 'expects', 'expected', 'sets', 'value', 'delay'],
  reply: boolean,
  repeat: 'counting',
})

/** How many entries were set. */
export const putAll = defineScript('map/behind/put-all', {
  lua: [serverTimeLua, noteLua, restOfLua, putAllLua],
  keys: all,
  args: ['delay', '...entries'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many entries were removed. */
export const removeAll = defineScript('map/behind/remove-all', {
  lua: [serverTimeLua, noteLua, restOfLua, removeAllLua],
  keys: all,
  args: ['delay', '...fields'],
  reply: integer,
  repeat: 'counting',
})

/** How many fields are left, and those that were claimed with what is to be written of them. */
export const take = defineScript('map/behind/take', {
  lua: [serverTimeLua, takeLua],
  keys: noted,
  args: ['count', 'lease', 'all'],
  reply: tuple(integer, pairs(bytes, bytes)),
  repeat: 'counting',
})

/** How many fields are due again. */
export const settle = defineScript('map/behind/settle', {
  lua: [serverTimeLua, settleLua],
  keys: noted,
  args: ['...written'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many fields there were. */
export const postpone = defineScript('map/behind/postpone', {
  lua: [serverTimeLua, restOfLua, postponeLua],
  keys: noted,
  args: ['pause', '...fields'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many fields are claimed still. */
export const extend = defineScript('map/behind/extend', {
  lua: [serverTimeLua, restOfLua, extendLua],
  keys: ['claimed'],
  args: ['lease', '...fields'],
  reply: integer,
  repeat: 'idempotent',
})

/** What is to be written of a field. */
export const state = defineCommand('HGET', {
  keys: ['states'],
  args: ['field'],
  reply: nullable(bytes),
  repeat: 'safe',
})
