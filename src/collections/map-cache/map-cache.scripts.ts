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
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './lua/add.lua'
import cleanLua from './lua/clean.lua'
import clearLua from './lua/clear.lua'
import containsValueLua from './lua/contains-value.lua'
import expireEntriesLua from './lua/expire-entries.lua'
import fastRemoveLua from './lua/fast-remove.lua'
import getAllLua from './lua/get-all.lua'
import getLua from './lua/get.lua'
import lookLua from './lua/look.lua'
import pageLua from './lua/page.lua'
import putAllLua from './lua/put-all.lua'
import putLua from './lua/put.lua'
import randomLua from './lua/random.lua'
import readAllLua from './lua/read-all.lua'
import removeLua from './lua/remove.lua'
import holderLua from './lua/shared/holder.lua'
import keysLatchLua from './lua/shared/keys-latch.lua'
import keysLeaseLua from './lua/shared/keys-lease.lua'
import keysScratchLua from './lua/shared/keys-scratch.lua'
import recordLua from './lua/shared/record.lua'
import timeLeftLua from './lua/time-left.lua'
import { finding, keys, own, removing, storing, using } from './script-parts.js'

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

/** How many entries had expired; -1 where another client cleans. */
export const clean = defineScript('map-cache/clean', {
  first: keysLatchLua,
  lua: [...removing, cleanLua],
  keys: [...keys, 'latch'],
  args: ['publish', 'most', 'latchSeconds'],
  reply: integer,
  repeat: 'counting',
})
