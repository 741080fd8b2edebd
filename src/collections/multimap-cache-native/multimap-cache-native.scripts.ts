import { boolean } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { expiryScripts } from '../../core/redisson-expirable.scripts.js'
import expireValuesLua from '../multimap/lua/expire-values.lua'
import keysOfValuesLua from '../multimap/lua/keys-of-values.lua'
import otherHashLua from '../multimap/lua/other-hash.lua'
import { scriptOfFastRemove } from '../multimap/multimap.scripts.js'
import beginKeyLua from './lua/begin-key.lua'
import endOfValuesLua from './lua/end-of-values.lua'
import endsByHashLua from './lua/ends-by-hash.lua'
import endsOfKeysLua from './lua/ends-of-keys.lua'
import expireKeyLua from './lua/expire-key.lua'
import expiryOfLua from './lua/expiry-of.lua'
import persistLua from './lua/persist.lua'

const keysLua = [otherHashLua, keysOfValuesLua, endsOfKeysLua, endsByHashLua, expireValuesLua].join('\n')

export const ofExpiry = expiryScripts('multimap-cache-native', keysLua, expiryOfLua, persistLua)

export const { expire, persist } = ofExpiry

export const fastRemove = scriptOfFastRemove('multimap-cache-native', beginKeyLua)

/** Whether the key is there (1). A copy of it that does not find the key cannot know which client has removed it. */
export const expireKey = defineScript('multimap-cache-native/expire-key', {
  lua: [
    serverTimeLua,
    expiresAtLua,
    otherHashLua,
    endsOfKeysLua,
    endOfValuesLua,
    expireValuesLua,
    expireKeyLua,
  ],
  keys: ['multimap', 'values'],
  args: ['field', 'hash', 'ttlMs'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})
