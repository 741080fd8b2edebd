import { integer, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import restOfLua from './lua/rest-of.lua'
import serverTimeLua from './lua/server-time.lua'
import expireLua from './lua/object/expire.lua'
import expiresAtLua from './lua/object/expires-at.lua'
import expiryLua from './lua/object/expiry.lua'
import otherKindLua from './lua/object/other-kind.lua'
import persistLua from './lua/object/persist.lua'

const changing = [restOfLua, otherKindLua]

/** Whether the object expires at that moment (1). */
export const expire = defineScript('object/expire', {
  lua: [...changing, serverTimeLua, expiresAtLua, expireLua],
  keys: ['object', '...others'],
  args: ['moment', 'ttlMs', 'condition', 'kind'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the object would have expired (1). */
export const persist = defineScript('object/persist', {
  lua: [...changing, persistLua],
  keys: ['object', '...others'],
  args: ['kind'],
  reply: integer,
  repeat: 'counting',
})

/** In how many milliseconds the object expires, and when: -1 for never, -2 if it is not there. */
export const expiry = defineScript('object/expiry', {
  lua: [otherKindLua, serverTimeLua, expiresAtLua, expiryLua],
  keys: ['object'],
  args: ['kind'],
  reply: tuple(integer, integer),
  repeat: 'safe',
})
