import { integer, list, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import otherKindLua from '../../core/lua/object/other-kind.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { expiryScripts } from '../../core/redisson-expirable.scripts.js'
import givenKeysLua from '../../core/lua/object/given-keys.lua'
import { scriptsOfAllKeys } from '../../core/redisson-object.scripts.js'
import acquireLua from './lua/acquire.lua'
import copyLua from './lua/copy.lua'
import deleteLua from './lua/delete.lua'
import expiryOfLua from './lua/expiry-of.lua'
import moveLua from './lua/move.lua'
import numbersLua from './lua/numbers.lua'
import releaseLua from './lua/release.lua'
import renameLua from './lua/rename.lua'
import renewLua from './lua/renew.lua'

const keys = ['hash', 'bounds'] as const

/**
 * The number and its window, now, and the layout; a negative number says why there is none.
 *
 * It is sent again: a copy finds the number by its token.
 */
export const acquire = defineScript('snowflake/acquire', {
  lua: [otherKindLua, serverTimeLua, numbersLua, acquireLua],
  keys,
  args: ['layout', 'numbers', 'first', 'last', 'token', 'after', 'leaseMs'],
  reply: tuple(integer, integer, integer, integer, text),
  repeat: 'idempotent',
})

/** In order, the last millisecond of each window, 0 for one that is not held any more, and the time of the server. */
export const renew = defineScript('snowflake/renew', {
  lua: [restOfLua, serverTimeLua, numbersLua, renewLua],
  keys: ['...keys'],
  args: ['leaseMs', '...holders'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** Whether the number was held (1). Its holder hands out no id any more, and so nothing follows from a copy. */
export const release = defineScript('snowflake/release', {
  lua: [otherKindLua, serverTimeLua, numbersLua, releaseLua],
  keys,
  args: ['token', 'used'],
  reply: integer,
  repeat: 'idempotent',
})

const changing = [restOfLua, otherKindLua, serverTimeLua, numbersLua]

/** What is done with all keys. Bounds stay where they are, because clients hand out ids until they notice. */
export const ofAllKeys = {
  ...scriptsOfAllKeys('snowflake', givenKeysLua),
  /** Whether the object was there (1). */
  remove: defineScript('snowflake/delete', {
    lua: [...changing, deleteLua],
    keys: ['object', '...others'],
    args: ['command', 'kind', 'channel', 'message', 'publish'],
    reply: integer,
    repeat: 'counting',
  }),
  /** Whether the object was renamed (1), the name is taken (0), or the object is not there (-1). */
  rename: defineScript('snowflake/rename', {
    lua: [...changing, renameLua],
    keys: ['object', 'target', '...others'],
    args: ['onlyIfFree', 'kind', 'channel', 'newChannel', 'message', 'publish'],
    reply: integer,
    repeat: 'counting',
  }),
  /** Whether the object was copied (1). */
  copy: defineScript('snowflake/copy', {
    lua: [...changing, copyLua],
    keys: ['object', 'target', '...others'],
    args: ['database', 'home', 'replace', 'kind', 'newChannel', 'message', 'publish'],
    reply: integer,
    repeat: 'counting',
  }),
  /** Whether the object was moved (1). */
  move: defineScript('snowflake/move', {
    lua: [...changing, moveLua],
    keys: ['object', '...others'],
    args: ['database', 'home', 'kind', 'channel', 'message', 'publish'],
    reply: integer,
    repeat: 'counting',
  }),
}

export const ofExpiry = expiryScripts('snowflake', givenKeysLua, [numbersLua, expiryOfLua].join('\n'))

export const { remove, touch, size, rename, copy, move } = ofAllKeys
export const { expire, persist } = ofExpiry
