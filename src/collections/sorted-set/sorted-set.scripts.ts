import { bytes, integer, list, nullable, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import nextPageLua from '../shared/next-page.lua'
import pageByIndexLua from '../shared/page-by-index.lua'
import addLua from './add.lua'
import containsLua from './contains.lua'
import insertLua from './insert.lua'
import orderLua from './order.lua'
import pageLua from './page.lua'
import pollLua from './poll.lua'
import removeLua from './remove.lua'
import turnLua from './turn.lua'

/** What the scripts return where the lock is held by another client. */
export const LOCKED = -1

/** What they return where elements cannot be compared. */
export const MIXED = -2

/** What they return where several elements are too far from the ends of the list to be changed by one script, or too large to be compared. */
export const TOO_FAR = -3

const changing = {
  keys: ['set', 'lock', 'comparator'],
  args: ['held', 'form', 'most', '...elements'],
  reply: integer,
  repeat: 'counting',
} as const

/** How many were added; {@link LOCKED}, {@link MIXED} or {@link TOO_FAR}. */
export const add = defineScript('sorted-set/add', {
  lua: [restOfLua, orderLua, turnLua, insertLua, addLua],
  ...changing,
})

/** How many were removed; {@link LOCKED}, {@link MIXED} or {@link TOO_FAR}. */
export const remove = defineScript('sorted-set/remove', {
  lua: [restOfLua, orderLua, turnLua, removeLua],
  ...changing,
})

/** How many of them are there; {@link MIXED} or {@link TOO_FAR}. */
export const contains = defineScript('sorted-set/contains', {
  lua: [restOfLua, orderLua, containsLua],
  keys: ['set', 'comparator'],
  args: ['form', 'most', '...elements'],
  reply: integer,
  repeat: 'safe',
})

/** What was removed, in the order of the set; undefined if the lock is held. */
export const poll = defineScript('sorted-set/poll', {
  lua: [turnLua, pollLua],
  keys: ['set', 'lock'],
  args: ['held', 'side', 'count'],
  reply: nullable(list(bytes)),
  repeat: 'counting',
})

/** Some elements; or {@link MIXED}. */
export const page = defineScript('sorted-set/page', {
  lua: [restOfLua, orderLua, pageLua],
  keys: ['set', 'comparator'],
  args: ['form', 'count', '...last'],
  reply: tuple(integer, list(bytes)),
  repeat: 'safe',
})

/** Where the next page begins, and the elements of a page that no other client gets. */
export const nextPage = defineScript('sorted-set/next-page', {
  lua: [restOfLua, pageByIndexLua, nextPageLua],
  keys: ['set', 'cursor'],
  args: ['count', 'keptSeconds', '...source'],
  reply: tuple(text, list(bytes)),
  repeat: 'counting',
})
