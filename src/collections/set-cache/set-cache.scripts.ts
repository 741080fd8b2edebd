import { boolean, bytes, integer, list, nullable, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { changed } from '../shared/changed.js'
import nextPageLua from '../shared/next-page.lua'
import retainAllLua from '../shared/retain-all.lua'
import addLua from './lua/add.lua'
import cleanLua from './lua/clean.lua'
import combineLua from './lua/combine.lua'
import containsLua from './lua/contains.lua'
import pageLua from './lua/page.lua'
import randomLua from './lua/random.lua'
import readAllLua from './lua/read-all.lua'
import removeLua from './lua/remove.lua'
import contentsLua from './lua/shared/contents.lua'
import endsLua from './lua/shared/ends.lua'
import joinedLua from './lua/shared/joined.lua'
import pageFromLua from './lua/shared/page-from.lua'
import sweepLua from './lua/shared/sweep.lua'
import sizeLua from './lua/size.lua'
import storeLua from './lua/store.lua'
import tryAddLua from './lua/try-add.lua'

const set = ['set'] as const
const sets = ['set', '...others'] as const

const finding = [serverTimeLua, endsLua]
const sweeping = [...finding, sweepLua]
const combining = [...sweeping, restOfLua, joinedLua]

const adding = {
  lua: [...finding, restOfLua, addLua],
  keys: set,
  args: ['condition', '...entries'],
} as const

/** Whether any value is new or met the condition. A copy of it sets the same ends once more, and cannot know which client set them before. */
export const add = defineScript('set-cache/add', {
  ...adding,
  reply: changed,
  repeat: 'idempotent',
  unchanged: false,
})

/** The same, of what a copy would add again where another client has removed it meanwhile. */
export const addAbsent = defineScript('set-cache/add-absent', {
  ...adding,
  reply: changed,
  repeat: 'counting',
})

/** How many values are new, or met the condition. */
export const addCounted = defineScript('set-cache/add-counted', {
  ...adding,
  reply: integer,
  repeat: 'counting',
})

/** Whether the values were added (1). */
export const tryAdd = defineScript('set-cache/try-add', {
  lua: [...finding, tryAddLua],
  keys: set,
  args: ['...entries'],
  reply: boolean,
  repeat: 'counting',
})

/** Of each value whether it is there. */
export const contains = defineScript('set-cache/contains', {
  lua: [...finding, containsLua],
  keys: set,
  args: ['...values'],
  reply: list(boolean),
  repeat: 'safe',
})

const removing = { lua: [...finding, removeLua], keys: set, args: ['...values'] } as const

/** Whether any of the values was there. A copy of it that finds none cannot know which client has removed them. */
export const remove = defineScript('set-cache/remove', {
  ...removing,
  reply: changed,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many values were there. */
export const removeCounted = defineScript('set-cache/remove-counted', {
  ...removing,
  reply: integer,
  repeat: 'counting',
})

/** Whether any value was removed (1); undefined if there are too many. */
export const retainAll = defineScript('set-cache/retain-all', {
  lua: [restOfLua, inPartsLua, ...finding, contentsLua, retainAllLua],
  keys: set,
  args: ['most', '...kept'],
  reply: nullable(boolean),
  repeat: 'idempotent',
  unchanged: false,
})

export const size = defineScript('set-cache/size', {
  lua: [...finding, sizeLua],
  keys: set,
  args: [],
  reply: integer,
  repeat: 'safe',
})

/** All values; undefined if there are too many. */
export const readAll = defineScript('set-cache/read-all', {
  lua: [inPartsLua, ...finding, contentsLua, readAllLua],
  keys: set,
  args: ['most'],
  reply: nullable(list(bytes)),
  repeat: 'safe',
})

/** The next cursor, and some values. */
export const page = defineScript('set-cache/page', {
  lua: [...finding, pageFromLua, pageLua],
  keys: set,
  args: ['cursor', 'pattern', 'count'],
  reply: tuple(text, list(bytes)),
  repeat: 'safe',
})

/** The next cursor, and the values of a page that no other client gets. */
export const nextPage = defineScript('set-cache/next-page', {
  lua: [restOfLua, ...finding, pageFromLua, nextPageLua],
  keys: ['set', 'cursor'],
  args: ['count', 'keptSeconds', '...source'],
  reply: tuple(text, list(bytes)),
  repeat: 'counting',
})

/** Random values; undefined if more may have ended. */
export const random = defineScript('set-cache/random', {
  lua: [...sweeping, randomLua],
  keys: set,
  args: ['publish', 'count'],
  reply: nullable(list(bytes)),
  repeat: 'safe',
})

const reading = {
  lua: [...combining, combineLua],
  keys: sets,
  args: ['publish', 'command', '...options'],
  repeat: 'safe',
} as const

/** The values that a command makes of several sets; undefined if more may have ended. */
export const combine = defineScript('set-cache/combine', { ...reading, reply: nullable(list(bytes)) })

/** How many they are; undefined if more may have ended. */
export const count = defineScript('set-cache/count', { ...reading, reply: nullable(integer) })

const storing = {
  lua: [...combining, storeLua],
  keys: sets,
  args: ['publish', 'command', '...options'],
  reply: nullable(integer),
} as const

/** The size of the set that was stored; undefined if more may have ended. */
export const store = defineScript('set-cache/store', { ...storing, repeat: 'idempotent' })

/** The same where the set itself is among those that are left out of the first: a copy of it would leave out what was stored. */
export const storeWithoutItself = defineScript('set-cache/store-without-itself', {
  ...storing,
  repeat: 'counting',
})

/** How many values had ended; -1 where another client cleans. */
export const clean = defineScript('set-cache/clean', {
  lua: [...sweeping, cleanLua],
  keys: ['set', 'latch'],
  args: ['publish', 'most', 'latchSeconds'],
  reply: integer,
  repeat: 'counting',
})
