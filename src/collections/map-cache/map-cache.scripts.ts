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
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './lua/add.lua'
import cleanLua from './lua/clean.lua'
import clearLua from './lua/clear.lua'
import containsValueLua from './lua/contains-value.lua'
import endLeaseLua from './lua/lease/end-lease.lua'
import expireEntriesLua from './lua/expire-entries.lua'
import fastRemoveLua from './lua/fast-remove.lua'
import getAllLua from './lua/get-all.lua'
import getWithLeaseLua from './lua/lease/get-with-lease.lua'
import getLua from './lua/get.lua'
import limitLua from './lua/limit.lua'
import lookLua from './lua/look.lua'
import pageLua from './lua/page.lua'
import putAllLua from './lua/put-all.lua'
import putLua from './lua/put.lua'
import putWithLeaseLua from './lua/lease/put-with-lease.lua'
import randomLua from './lua/random.lua'
import readAllLua from './lua/read-all.lua'
import removeWithLeaseLua from './lua/lease/remove-with-lease.lua'
import removeLua from './lua/remove.lua'
import setOptionsLua from './lua/set-options.lua'
import findLua from './lua/shared/find.lua'
import holderLua from './lua/shared/holder.lua'
import keysLua from './lua/shared/keys.lua'
import keysLatchLua from './lua/shared/keys-latch.lua'
import keysLeaseLua from './lua/shared/keys-lease.lua'
import keysScratchLua from './lua/shared/keys-scratch.lua'
import recordLua from './lua/shared/record.lua'
import removeEntriesLua from './lua/shared/remove-entries.lua'
import storeLua from './lua/shared/store.lua'
import useLua from './lua/shared/use.lua'
import timeLeftLua from './lua/time-left.lua'

const keys = ['map', 'ttl', 'idle', 'access', 'options'] as const

const finding = [serverTimeLua, recordLua, findLua]
const using = [...finding, expiresAtLua, useLua]
const removing = [...using, removeEntriesLua]
const storing = [...removing, storeLua]

const own = { first: keysLua, keys } as const

const putting = {
  first: keysLeaseLua,
  lua: [...storing, holderLua, putLua],
  keys: [...keys, 'lease'],
  args: ['publish', 'condition', 'expected', 'ttlMs', 'idleMs', 'silent', 'field', 'value'],
} as const

/** The value before. */
export const put = defineScript('map-cache/put', { ...putting, reply: nullable(bytes), repeat: 'counting' })

/** Whether the value was set; without a condition, whether it is new. */
export const putIf = defineScript('map-cache/put-if', { ...putting, reply: boolean, repeat: 'counting' })

/** The same where a copy of it sets the same value once more. One that finds what is there cannot know which client set it. */
export const fastPut = defineScript('map-cache/fast-put', {
  ...putting,
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** All fields were set (1). */
export const putAll = defineScript('map-cache/put-all', {
  ...own,
  lua: [...storing, restOfLua, putAllLua],
  args: ['publish', 'ttlMs', 'idleMs', '...entries'],
  reply: boolean,
  repeat: 'idempotent',
})

/** The sum. */
export const add = defineScript('map-cache/add', {
  first: keysScratchLua,
  lua: [...storing, addLua],
  keys: [...keys, 'scratch'],
  args: ['publish', 'delta', 'field'],
  reply: bytes,
  repeat: 'counting',
})

/** A copy of what reads an entry notes its use once more. */
const getting = { ...own, lua: [...using, getLua], args: ['what', 'field'], repeat: 'safe' } as const

export const get = defineScript('map-cache/get', { ...getting, reply: nullable(bytes) })

export const contains = defineScript('map-cache/contains', { ...getting, reply: boolean })

export const valueSize = defineScript('map-cache/value-size', { ...getting, reply: integer })

export const getAll = defineScript('map-cache/get-all', {
  ...own,
  lua: [...using, getAllLua],
  args: ['...fields'],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})

/** The values by their time to live alone. Nothing is written, so that a replica may reply. */
export const look = defineScript('map-cache/look', {
  lua: [serverTimeLua, recordLua, lookLua],
  keys: ['map', 'ttl'],
  args: ['...fields'],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})

const taking = {
  ...own,
  lua: [...removing, removeLua],
  args: ['publish', 'condition', 'expected', 'silent', 'field'],
  repeat: 'counting',
} as const

/** The value before. */
export const remove = defineScript('map-cache/remove', { ...taking, reply: nullable(bytes) })

/** Whether the field was removed (1). */
export const removeIf = defineScript('map-cache/remove-if', { ...taking, reply: boolean })

/** How many fields were removed. */
export const fastRemove = defineScript('map-cache/fast-remove', {
  ...own,
  lua: [...removing, restOfLua, fastRemoveLua],
  args: ['publish', '...fields'],
  reply: integer,
  repeat: 'counting',
})

/** How many entries end then. */
export const expireEntries = defineScript('map-cache/expire-entries', {
  ...own,
  lua: [...using, restOfLua, expireEntriesLua],
  args: ['ttlMs', 'idleMs', 'condition', '...fields'],
  reply: integer,
  repeat: 'counting',
})

const leasing = { first: keysLeaseLua, keys: [...keys, 'lease'] } as const

/**
 * Whether there is a value, and the value; if there is none, the token of the call that has the lease, and whether it is this call. A copy finds the
 * lease of the first one, which has the same token.
 */
export const getWithLease = defineScript('map-cache/get-with-lease', {
  ...leasing,
  lua: [...using, getWithLeaseLua],
  args: ['token', 'leaseMs', 'field'],
  reply: tuple(boolean, nullable(bytes), nullable(text), boolean),
  repeat: 'idempotent',
})

/** Whether the value was set (1). It ends the lease, so that a second copy sets nothing, and cannot know whether the first one did. */
export const putWithLease = defineScript('map-cache/put-with-lease', {
  ...leasing,
  lua: [...storing, holderLua, putWithLeaseLua],
  args: ['publish', 'token', 'ttlMs', 'idleMs', 'field', 'value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether there was a value (1). */
export const removeWithLease = defineScript('map-cache/remove-with-lease', {
  ...leasing,
  lua: [...removing, holderLua, removeWithLeaseLua],
  args: ['publish', 'field'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether it was still that of the token (1). A token is of one call. */
export const endLease = defineScript('map-cache/end-lease', {
  lua: endLeaseLua,
  keys: ['lease'],
  args: ['token'],
  reply: boolean,
  repeat: 'idempotent',
})

/** How many milliseconds are left: -1 for no end, and -2 for no entry. */
export const timeLeft = defineScript('map-cache/time-left', {
  ...own,
  lua: [...finding, timeLeftLua],
  args: ['field'],
  reply: integer,
  repeat: 'safe',
})

const sampling = {
  ...own,
  lua: [...removing, randomLua],
  args: ['publish', 'count', 'form'],
  repeat: 'safe',
} as const

/** How many entries there are; undefined if more may have expired. */
export const size = defineScript('map-cache/size', { ...sampling, reply: nullable(integer) })

/** Random fields; undefined if more may have expired. */
export const randomKeys = defineScript('map-cache/random-keys', { ...sampling, reply: nullable(list(bytes)) })

/** Random fields and their records; undefined if more may have expired. */
export const randomEntries = defineScript('map-cache/random-entries', {
  ...sampling,
  reply: nullable(pairs(bytes, bytes)),
})

const readAll = {
  ...own,
  lua: [...removing, readAllLua],
  args: ['publish', 'command', 'most'],
  repeat: 'safe',
} as const

/** All fields; undefined if there are too many. */
export const readAllKeys = defineScript('map-cache/read-all-keys', {
  ...readAll,
  reply: nullable(list(bytes)),
})

/** All fields and their records; undefined if there are too many. */
export const readAllEntries = defineScript('map-cache/read-all-entries', {
  ...readAll,
  reply: nullable(pairs(bytes, bytes)),
})

const paging = {
  ...own,
  lua: [...using, pageLua],
  args: ['cursor', 'pattern', 'count', 'form'],
  repeat: 'safe',
} as const

/** The next cursor, and some fields. */
export const keyPage = defineScript('map-cache/key-page', { ...paging, reply: tuple(text, list(bytes)) })

/** The next cursor, and some fields with their records. */
export const entryPage = defineScript('map-cache/entry-page', {
  ...paging,
  reply: tuple(text, pairs(bytes, bytes)),
})

/** The next cursor, and whether the value was found (1). */
export const containsValue = defineScript('map-cache/contains-value', {
  ...own,
  lua: [...using, containsValueLua],
  args: ['cursor', 'count', 'value'],
  reply: tuple(text, list(boolean)),
  repeat: 'safe',
})

/** Whether there were entries (1). */
export const clear = defineScript('map-cache/clear', {
  lua: clearLua,
  keys,
  args: [],
  reply: boolean,
  repeat: 'counting',
})

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

/** How many entries had expired; -1 where another client cleans. */
export const clean = defineScript('map-cache/clean', {
  first: keysLatchLua,
  lua: [...removing, cleanLua],
  keys: [...keys, 'latch'],
  args: ['publish', 'most', 'latchSeconds'],
  reply: integer,
  repeat: 'counting',
})
