import { boolean, bytes, list as listOf, nullable, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import nextPageLua from '../shared/next-page.lua'
import pageByIndexLua from '../shared/page-by-index.lua'
import containsAllLua from './contains-all.lua'
import elementItselfLua from '../shared/element-itself.lua'
import fastRemoveLua from './fast-remove.lua'
import getAllLua from './get-all.lua'
import insertAllLua from './insert-all.lua'
import insertLua from './insert.lua'
import pushLua from './push.lua'
import removeAllLua from './remove-all.lua'
import removeAtLua from './remove-at.lua'
import removeWhereLua from './remove-where.lua'
import retainAllLua from './retain-all.lua'
import setLua from './set.lua'
import takeOutLua from './take-out.lua'

const list = ['list'] as const

/** Whether there is such an index, so that the value was inserted (1). */
export const insert = defineScript('list/insert', {
  lua: insertLua,
  keys: list,
  args: ['index', 'mark', 'value'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether there is such an index, so that the values were inserted (1). */
export const insertAll = defineScript('list/insert-all', {
  lua: [restOfLua, inPartsLua, pushLua, insertAllLua],
  keys: list,
  args: ['index', '...values'],
  reply: boolean,
  repeat: 'counting',
})

/** The element before; undefined if there is none, and nothing was set. */
export const set = defineScript('list/set', {
  lua: setLua,
  keys: list,
  args: ['index', 'value'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** The element that was removed. */
export const removeAt = defineScript('list/remove-at', {
  lua: [takeOutLua, removeAtLua],
  keys: list,
  args: ['index', 'mark'],
  reply: nullable(bytes),
  repeat: 'counting',
})

/** Whether an element was removed (1). */
export const fastRemove = defineScript('list/fast-remove', {
  lua: [takeOutLua, fastRemoveLua],
  keys: list,
  args: ['index', 'mark'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any element was removed (1). */
export const removeAll = defineScript('list/remove-all', {
  lua: [elementItselfLua, inPartsLua, pushLua, removeWhereLua, removeAllLua],
  keys: list,
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any element was removed (1). */
export const retainAll = defineScript('list/retain-all', {
  lua: [elementItselfLua, inPartsLua, pushLua, removeWhereLua, retainAllLua],
  keys: list,
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** The elements of these indexes, undefined where there is none. */
export const getAll = defineScript('list/get-all', {
  lua: getAllLua,
  keys: list,
  args: ['...indexes'],
  reply: listOf(nullable(bytes)),
  repeat: 'safe',
})

/** Whether all values were found (1). */
export const containsAll = defineScript('list/contains-all', {
  lua: [elementItselfLua, containsAllLua],
  keys: list,
  args: ['...values'],
  reply: boolean,
  repeat: 'safe',
})

/** Where the next page begins, and the elements of a page that no other client gets. */
export const nextPage = defineScript('list/next-page', {
  lua: [restOfLua, pageByIndexLua, nextPageLua],
  keys: ['set', 'cursor'],
  args: ['count', 'keptSeconds', '...source'],
  reply: tuple(text, listOf(bytes)),
  repeat: 'counting',
})
