import { defineCommand } from '../../../command/operation/command.js'
import { boolean, bytes, integer, nullable, pairs, tuple } from '../../../command/operation/replies.js'
import { defineScript } from '../../../command/operation/script.js'
import restOfLua from '../../../core/lua/rest-of.lua'
import serverTimeLua from '../../../core/lua/server-time.lua'
import changeLua from './change.lua'
import extendLua from './extend.lua'
import noteLua from './note.lua'
import ownsLua from './owns.lua'
import postponeLua from './postpone.lua'
import putAllLua from './put-all.lua'
import removeAllLua from './remove-all.lua'
import settleLua from './settle.lua'
import takeLua from './take.lua'

const changed = ['map', 'states', 'due', 'claimed'] as const
const written = ['states', 'due', 'claimed', 'tokens'] as const

/** Whether the entry was changed (1). */
export const change = defineScript('map/behind/change', {
  lua: [serverTimeLua, noteLua, changeLua],
  keys: changed,
  args: ['field', 'expects', 'expected', 'sets', 'value', 'delay'],
  reply: boolean,
  repeat: 'counting',
})

/** How many entries were set. */
export const putAll = defineScript('map/behind/put-all', {
  lua: [serverTimeLua, noteLua, restOfLua, putAllLua],
  keys: changed,
  args: ['delay', '...entries'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many entries were removed. */
export const removeAll = defineScript('map/behind/remove-all', {
  lua: [serverTimeLua, noteLua, restOfLua, removeAllLua],
  keys: changed,
  args: ['delay', 'any', '...fields'],
  reply: integer,
  repeat: 'counting',
})

/** How many fields are left, and those that were claimed with what is to be written of them. */
export const take = defineScript('map/behind/take', {
  lua: [serverTimeLua, takeLua],
  keys: written,
  args: ['count', 'lease', 'all', 'token', 'wait'],
  reply: tuple(integer, pairs(bytes, bytes)),
  repeat: 'counting',
})

/** How many fields are due again. */
export const settle = defineScript('map/behind/settle', {
  lua: [serverTimeLua, restOfLua, ownsLua, settleLua],
  keys: written,
  args: ['token', '...entries'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many fields are due again. */
export const postpone = defineScript('map/behind/postpone', {
  lua: [serverTimeLua, restOfLua, ownsLua, postponeLua],
  keys: written,
  args: ['token', 'pause', '...fields'],
  reply: integer,
  repeat: 'idempotent',
})

/** How many fields are still claimed by that token. */
export const extend = defineScript('map/behind/extend', {
  lua: [serverTimeLua, restOfLua, ownsLua, extendLua],
  keys: ['claimed', 'tokens'],
  args: ['token', 'lease', '...fields'],
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
