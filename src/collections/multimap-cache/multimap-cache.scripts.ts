import { boolean, integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { expiryScripts } from '../../core/redisson-expirable.scripts.js'
import { scriptsOfAllKeys } from '../../core/redisson-object.scripts.js'
import keysOfValuesLua from '../multimap/lua/keys-of-values.lua'
import otherHashLua from '../multimap/lua/other-hash.lua'
import cleanLua from './lua/clean.lua'
import expireKeyLua from './lua/expire-key.lua'
import sweepLua from './lua/sweep.lua'

const keysLua = `${otherHashLua}\n${keysOfValuesLua}`

export const ofAllKeys = scriptsOfAllKeys('multimap-cache', keysLua)
export const ofExpiry = expiryScripts('multimap-cache', keysLua)

export const { remove, touch, size, rename, copy, move } = ofAllKeys
export const { expire, persist } = ofExpiry

/** Whether the key is there (1). A copy of it that does not find the key cannot know which client has removed it. */
export const expireKey = defineScript('multimap-cache/expire-key', {
  lua: [serverTimeLua, expiresAtLua, otherHashLua, expireKeyLua],
  keys: ['multimap', 'ends'],
  args: ['field', 'hash', 'ttlMs'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many keys had ended. */
export const clean = defineScript('multimap-cache/clean', {
  lua: [serverTimeLua, otherHashLua, sweepLua, cleanLua],
  keys: ['multimap', 'prefix', 'ends'],
  args: ['most'],
  reply: integer,
  repeat: 'counting',
})
