import { boolean, bytes, double, integer, nullable, pairs, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './add.lua'
import pageLua from './page.lua'
import removeLua from './remove.lua'
import sizeLua from './size.lua'

const keys = ['series', 'ttl'] as const
const entries = pairs(bytes, double)

/** A copy of it adds the same entries: each has bytes of its own. */
export const add = defineScript('time-series/add', {
  lua: [restOfLua, inPartsLua, serverTimeLua, addLua],
  keys,
  args: ['ttlMs', '...entries'],
  reply: boolean,
  repeat: 'idempotent',
})

export const size = defineScript('time-series/size', {
  lua: [serverTimeLua, sizeLua],
  keys,
  args: [],
  reply: integer,
  repeat: 'safe',
})

/** The last entry that was looked at, if there are more, and what was found. */
export const page = defineScript('time-series/page', {
  lua: [serverTimeLua, pageLua],
  keys,
  args: ['direction', 'min', 'max', 'count', 'most', 'after'],
  reply: tuple(nullable(bytes), nullable(double), entries),
  repeat: 'safe',
})

/** How many had ended, how many others were removed, and these, if they are wanted. */
export const remove = defineScript('time-series/remove', {
  lua: [serverTimeLua, removeLua],
  keys,
  args: ['command', 'start', 'stop', 'count', 'most', 'silent'],
  reply: tuple(integer, integer, entries),
  repeat: 'counting',
})
