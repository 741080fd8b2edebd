import { boolean, text } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import limitLua from './lua/limit.lua'
import setOptionsLua from './lua/set-options.lua'
import { own, removing } from './script-parts.js'

const setting = {
  lua: [serverTimeLua, restOfLua, expiresAtLua, setOptionsLua],
  keys: ['map', 'access', 'options'],
  args: ['onlyIfUnset', '...fields'],
  reply: boolean,
} as const

/** They were set (1). */
export const setOptions = defineScript('map-cache/set-options', { ...setting, repeat: 'idempotent' })

/** Whether they were set (1). */
export const trySetOptions = defineScript('map-cache/try-set-options', { ...setting, repeat: 'counting' })

/** The next cursor, or whether there are still too many entries (1). */
export const limit = defineScript('map-cache/limit', {
  ...own,
  lua: [...removing, limitLua],
  args: ['publish', 'cursor', 'count'],
  reply: text,
  repeat: 'idempotent',
})
