import { defineCommand } from '../../command/operation/command.js'
import {
  boolean,
  bytes,
  integer,
  list,
  nullable,
  pairs,
  text,
  tuple,
} from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import expireObjectLua from '../../core/lua/object/expire-object.lua'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import expiryOfLua from '../../core/lua/object/expiry-of.lua'
import givenKeysLua from '../../core/lua/object/given-keys.lua'
import otherKindLua from '../../core/lua/object/other-kind.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { scriptsOfAllKeys } from '../../core/redisson-object.scripts.js'
import putBackLua from '../../synchronizers/semaphore/put-back.lua'
import addLua from './lua/add.lua'
import confirmLua from './lua/confirm.lua'
import expireLua from './lua/expire.lua'
import getAllLua from './lua/get-all.lua'
import getLua from './lua/get.lua'
import missedLua from './lua/missed.lua'
import pageLua from './lua/page.lua'
import publishLua from './lua/publish.lua'
import putAllLua from './lua/put-all.lua'
import putLua from './lua/put.lua'
import removeAllLua from './lua/remove-all.lua'
import removeLua from './lua/remove.lua'
import renewMarkLua from './lua/shared/renew-mark.lua'
import tellCachesLua from './lua/shared/tell-caches.lua'
import withoutLogLua from './lua/shared/without-log.lua'

const map = ['map'] as const
const changed = ['map', 'log'] as const

/** In how many milliseconds the map expires: -1 for never, -2 if it is not there. */
export const timeLeft = defineCommand('PTTL', { keys: map, args: [], reply: integer, repeat: 'safe' })

/** The value, and in how many milliseconds the map expires: -1 for never, -2 if it is not there. */
export const get = defineScript('local-cached-map/get', {
  lua: getLua,
  keys: map,
  args: ['field'],
  reply: tuple(nullable(bytes), integer),
  repeat: 'safe',
})

/** In how many milliseconds the map expires, and the values. */
export const getAll = defineScript('local-cached-map/get-all', {
  lua: getAllLua,
  keys: map,
  args: ['...fields'],
  reply: tuple(integer, list(nullable(bytes))),
  repeat: 'safe',
})

/** The next cursor, some entries, and in how many milliseconds the map expires. */
export const page = defineScript('local-cached-map/page', {
  lua: pageLua,
  keys: map,
  args: ['cursor', 'count'],
  reply: tuple(text, pairs(bytes, bytes), integer),
  repeat: 'safe',
})

/** Whether it was set, whether the field is new, the value before, and in how many milliseconds the map expires. */
export const put = defineScript('local-cached-map/put', {
  lua: [serverTimeLua, tellCachesLua, putLua],
  keys: changed,
  args: ['field', 'value', 'condition', 'expected', 'isReturned', 'records', 'channel', 'message', 'publish'],
  reply: tuple(boolean, boolean, nullable(bytes), integer),
  repeat: 'counting',
})

/** In how many milliseconds the map expires. */
export const putAll = defineScript('local-cached-map/put-all', {
  lua: [restOfLua, inPartsLua, serverTimeLua, tellCachesLua, putAllLua],
  keys: changed,
  args: ['records', 'channel', 'message', 'publish', '...entries'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether it was removed, and the value that it had. */
export const remove = defineScript('local-cached-map/remove', {
  lua: [serverTimeLua, tellCachesLua, removeLua],
  keys: changed,
  args: ['field', 'isCompared', 'expected', 'isReturned', 'records', 'channel', 'message', 'publish'],
  reply: tuple(boolean, nullable(bytes)),
  repeat: 'counting',
})

/** How many fields were removed. */
export const removeAll = defineScript('local-cached-map/remove-all', {
  lua: [restOfLua, inPartsLua, serverTimeLua, tellCachesLua, removeAllLua],
  keys: changed,
  args: ['records', 'channel', 'message', 'publish', '...fields'],
  reply: integer,
  repeat: 'counting',
})

/** The sum, and in how many milliseconds the map expires. */
export const add = defineScript('local-cached-map/add', {
  lua: [serverTimeLua, tellCachesLua, addLua],
  keys: changed,
  args: ['field', 'delta', 'records', 'channel', 'message', 'publish'],
  reply: tuple(bytes, integer),
  repeat: 'counting',
})

/** Whether the map expires at that moment (1). */
export const expire = defineScript('local-cached-map/expire', {
  lua: [
    restOfLua,
    otherKindLua,
    givenKeysLua,
    serverTimeLua,
    expiresAtLua,
    expiryOfLua,
    expireObjectLua,
    renewMarkLua,
    expireLua,
  ],
  keys: ['object', '...others'],
  args: ['moment', 'ttlMs', 'condition', 'kind', 'chance', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many clients have received the message by which all drop what they keep. */
export const publish = defineScript('local-cached-map/publish', {
  lua: [renewMarkLua, publishLua],
  keys: changed,
  args: ['chance', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether there is a semaphore of a client that uses another database (1), which has a permit more now. */
export const confirm = defineScript('local-cached-map/confirm', {
  lua: [putBackLua, confirmLua],
  keys: ['semaphore', 'channel'],
  args: ['database', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** What the log is known by, and its records; nothing if that is not known. */
export const missed = defineScript('local-cached-map/missed', {
  lua: missedLua,
  keys: changed,
  args: ['isBegun', 'chance', 'most'],
  reply: (reply) =>
    Array.isArray(reply) && reply.length === 0 ? undefined : tuple(bytes, list(bytes))(reply),
  repeat: 'idempotent',
})

/** The map under another name, or in another database, has a log of its own: see `without-log.lua`. */
export const { rename, copy, move } = scriptsOfAllKeys('local-cached-map', withoutLogLua)
