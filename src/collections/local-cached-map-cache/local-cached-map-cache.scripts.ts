import { bytes, integer, list, nullable, pairs, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import findLua from '../map-cache/lua/shared/find.lua'
import keysLua from '../map-cache/lua/shared/keys.lua'
import recordLua from '../map-cache/lua/shared/record.lua'
import useLua from '../map-cache/lua/shared/use.lua'
import getAllLua from './lua/get-all.lua'
import getLua from './lua/get.lua'
import pageLua from './lua/page.lua'
import keepableLua from './lua/shared/keepable.lua'

const lua = [serverTimeLua, recordLua, findLua, expiresAtLua, useLua, keepableLua]

const reading = {
  first: keysLua,
  keys: ['map', 'ttl', 'idle', 'access', 'options'],
  repeat: 'safe',
} as const

/** The value, in how many milliseconds the map expires, and for how many the entry may be kept; each less than 0 for no end. */
export const get = defineScript('local-cached-map-cache/get', {
  ...reading,
  lua: [...lua, getLua],
  args: ['field'],
  reply: tuple(nullable(bytes), integer, integer),
})

/** In how many milliseconds the map expires, the values, and for how many milliseconds each may be kept. */
export const getAll = defineScript('local-cached-map-cache/get-all', {
  ...reading,
  lua: [...lua, getAllLua],
  args: ['...fields'],
  reply: tuple(integer, list(nullable(bytes)), list(integer)),
})

/** The next cursor, some entries, for how many milliseconds each may be kept, and in how many milliseconds the map expires. */
export const page = defineScript('local-cached-map-cache/page', {
  ...reading,
  lua: [...lua, pageLua],
  args: ['cursor', 'count'],
  reply: tuple(text, pairs(bytes, bytes), list(integer), integer),
})
