import { boolean, bytes, double, integer, nullable, pairs, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './add.lua'
import cleanLua from './clean.lua'
import pageLua from './page.lua'
import removeRangeLua from './remove-range.lua'
import sizeLua from './size.lua'
import sweepLua from './sweep.lua'
import takeLua from './take.lua'

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

/** What was removed; undefined if that needs another request. */
export const take = defineScript('time-series/take', {
  lua: [serverTimeLua, sweepLua, takeLua],
  keys,
  args: ['command', 'start', 'stop', 'count', 'most'],
  reply: nullable(entries),
  repeat: 'counting',
})

/** How many were removed, and whether there may be more. */
export const removeRange = defineScript('time-series/remove-range', {
  lua: [serverTimeLua, sweepLua, removeRangeLua],
  keys,
  args: ['min', 'max', 'most'],
  reply: tuple(integer, boolean),
  repeat: 'counting',
})

/** How many were removed. */
export const clean = defineScript('time-series/clean', {
  lua: [serverTimeLua, sweepLua, cleanLua],
  keys,
  args: ['most'],
  reply: integer,
  repeat: 'counting',
})
