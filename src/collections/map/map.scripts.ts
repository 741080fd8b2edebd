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
import containsValueLua from './lua/contains-value.lua'
import fastPutIfExistsLua from './lua/fast-put-if-exists.lua'
import putAllLua from './lua/put-all.lua'
import putIfAbsentLua from './lua/put-if-absent.lua'
import putIfExistsLua from './lua/put-if-exists.lua'
import putLua from './lua/put.lua'
import readAllLua from './lua/read-all.lua'
import removeIfLua from './lua/remove-if.lua'
import removeLua from './lua/remove.lua'
import replaceIfLua from './lua/replace-if.lua'
import scanKeysLua from './lua/scan-keys.lua'
import sumLua from './lua/sum.lua'

const map = ['map'] as const

/** The value before. */
export const put = defineScript('map/put', {
  lua: putLua,
  keys: map,
  args: ['field', 'value'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** How many fields were set. */
export const putAll = defineScript('map/put-all', {
  lua: [inPartsLua, putAllLua],
  keys: map,
  args: ['...entries'],
  reply: integer,
  repeat: 'idempotent',
})

/** The value that was there, and stays. */
export const putIfAbsent = defineScript('map/put-if-absent', {
  lua: putIfAbsentLua,
  keys: map,
  args: ['field', 'value'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** The value before; nothing was set without one. */
export const putIfExists = defineScript('map/put-if-exists', {
  lua: putIfExistsLua,
  keys: map,
  args: ['field', 'value'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** Whether the value was set (1). A copy of it that finds no value cannot tell whether there was one, which was removed. */
export const fastPutIfExists = defineScript('map/fast-put-if-exists', {
  lua: fastPutIfExistsLua,
  keys: map,
  args: ['field', 'value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether the value was set (1). */
export const replaceIf = defineScript('map/replace-if', {
  lua: replaceIfLua,
  keys: map,
  args: ['field', 'expected', 'value'],
  reply: boolean,
  repeat: 'counting',
})

/** The value before. */
export const remove = defineScript('map/remove', {
  lua: removeLua,
  keys: map,
  args: ['field'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** Whether the field was removed (1). */
export const removeIf = defineScript('map/remove-if', {
  lua: removeIfLua,
  keys: map,
  args: ['field', 'expected'],
  reply: boolean,
  repeat: 'counting',
})

/** The next cursor, and whether the value was found (1). */
export const containsValue = defineScript('map/contains-value', {
  lua: containsValueLua,
  keys: map,
  args: ['cursor', 'count', 'value'],
  reply: tuple(text, list(boolean)),
  repeat: 'safe',
})

/** The next cursor, and some keys. */
export const scanKeys = defineScript('map/scan-keys', {
  lua: scanKeysLua,
  keys: map,
  args: ['cursor', 'pattern', 'count'],
  reply: tuple(text, list(bytes)),
  repeat: 'safe',
})

const readAll = { lua: readAllLua, keys: map, args: ['command', 'most'], repeat: 'safe' } as const

/** All keys, or all values; undefined if there are too many. */
export const readAllParts = defineScript('map/read-all-parts', { ...readAll, reply: nullable(list(bytes)) })

/** All entries; undefined if there are too many. */
export const readAllEntries = defineScript('map/read-all-entries', {
  ...readAll,
  reply: nullable(pairs(bytes, bytes)),
})

/** The sum of a number and another; nothing is changed. */
export const sum = defineScript('map/sum', {
  lua: sumLua,
  keys: ['scratch'],
  args: ['before', 'delta'],
  reply: bytes,
  repeat: 'idempotent',
})
