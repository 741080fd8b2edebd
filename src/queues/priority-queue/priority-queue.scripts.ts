import insertLua from '../../collections/sorted-set/insert.lua'
import orderLua from '../../collections/sorted-set/order.lua'
import turnLua from '../../collections/sorted-set/turn.lua'
import { bytes, integer, list, nullable } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import addLua from './add.lua'
import boundLua from './bound.lua'
import indexOfLua from './index-of.lua'
import moveLua from './move.lua'
import putBackLua from './put-back.lua'
import removeLua from './remove.lua'

const changing = { keys: ['queue', 'lock', 'comparator'], reply: integer, repeat: 'counting' } as const

/** How many were added; `LOCKED`, `MIXED` or `TOO_FAR` of sorted sets. */
export const add = defineScript('priority-queue/add', {
  lua: [restOfLua, orderLua, turnLua, boundLua, insertLua, addLua],
  args: ['held', 'form', 'most', '...elements'],
  ...changing,
})

/** How many were removed; `LOCKED`, `MIXED` or `TOO_FAR` of sorted sets. */
export const remove = defineScript('priority-queue/remove', {
  lua: [restOfLua, orderLua, turnLua, boundLua, removeLua],
  args: ['held', 'form', 'most', 'which', '...elements'],
  ...changing,
})

/** The index of an element; -1 if there is none, `MIXED` of sorted sets. */
export const indexOf = defineScript('priority-queue/index-of', {
  lua: [orderLua, boundLua, indexOfLua],
  keys: ['queue', 'comparator'],
  args: ['form', 'element'],
  reply: integer,
  repeat: 'safe',
})

/** What was moved, in that order; undefined if the lock is held. */
export const move = defineScript('priority-queue/move', {
  lua: [turnLua, moveLua],
  keys: ['queue', 'lock', 'target'],
  args: ['held', 'side', 'count', 'exactly'],
  reply: nullable(list(bytes)),
  repeat: 'counting',
})

/** How many were put back; `LOCKED` of sorted sets. */
export const putBack = defineScript('priority-queue/put-back', {
  lua: [restOfLua, orderLua, turnLua, boundLua, putBackLua],
  keys: ['queue', 'lock', 'comparator', 'target'],
  args: ['held', 'form', 'side', '...values'],
  reply: integer,
  repeat: 'counting',
})
