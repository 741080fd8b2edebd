import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import findLua from './lua/shared/find.lua'
import keysLua from './lua/shared/keys.lua'
import recordLua from './lua/shared/record.lua'
import removeEntriesLua from './lua/shared/remove-entries.lua'
import storeLua from './lua/shared/store.lua'
import useLua from './lua/shared/use.lua'

/** What all scripts about the entries of a map cache are given. */
export const keys = ['map', 'ttl', 'idle', 'access', 'options'] as const

/** The Lua that finds entries. That which uses, removes and sets them is built on it. */
export const finding = [serverTimeLua, recordLua, findLua]
export const using = [...finding, expiresAtLua, useLua]
export const removing = [...using, removeEntriesLua]
export const storing = [...removing, storeLua]

export const own = { first: keysLua, keys } as const
