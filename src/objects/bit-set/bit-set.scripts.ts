import type { Reply } from '../../connection/connection.js'
import { int64, integer, list, nullable, tuple, unread } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import changeCellsLua from './change-cells.lua'
import combineAllLua from './combine-all.lua'
import combineLua from './combine.lua'
import lengthLua from './length.lua'
import setExclusiveLua from './set-exclusive.lua'
import setRangeLua from './set-range.lua'
import shortestFirstLua from './shortest-first.lua'
import withUnionLua from './with-union.lua'

const bits = ['bits'] as const

/** The highest index of a bit that is 1, plus one. */
export const length = defineScript('bit-set/length', {
  lua: lengthLua,
  keys: bits,
  args: [],
  reply: integer,
  repeat: 'safe',
})

export const setRange = defineScript('bit-set/set-range', {
  lua: setRangeLua,
  keys: bits,
  args: ['from', 'to', 'value'],
  reply: unread,
  repeat: 'idempotent',
})

/** What is or was in several cells, or the sum; undefined where that would be too much. */
export const changeCells = defineScript('bit-set/change-cells', {
  lua: changeCellsLua,
  keys: bits,
  args: ['...operations'],
  reply: list(nullable(wideInteger)),
  repeat: 'counting',
})

/** Combines a bit set with others. How many bytes there are, as of all that follow. */
const combined = {
  lua: [restOfLua, shortestFirstLua, combineAllLua, combineLua],
  keys: ['target', 'partial', '...sources'],
  args: ['operation'],
  reply: integer,
} as const
export const and = defineScript('bit-set/and', { ...combined, repeat: 'idempotent' })
export const or = defineScript('bit-set/or', { ...combined, repeat: 'idempotent' })
export const xor = defineScript('bit-set/xor', { ...combined, repeat: 'counting' })

/** Combines a bit set with the union of others. */
const withUnion = {
  lua: [restOfLua, shortestFirstLua, combineAllLua, withUnionLua],
  keys: ['target', 'union', '...sources'],
  args: ['...operations'],
  reply: integer,
} as const
export const diff = defineScript('bit-set/diff', { ...withUnion, repeat: 'idempotent' })
export const andOr = defineScript('bit-set/and-or', { ...withUnion, repeat: 'idempotent' })
export const diffInverse = defineScript('bit-set/diff-inverse', { ...withUnion, repeat: 'counting' })

export const setExclusive = defineScript('bit-set/set-exclusive', {
  lua: [restOfLua, shortestFirstLua, setExclusiveLua],
  keys: ['target', 'union', 'twice', 'both', '...sources'],
  args: [],
  reply: integer,
  repeat: 'counting',
})

/** Reads an integer of up to 64 bits, of which the higher ones and the lower 32 come apart: a number of Lua has 53 bits. */
function wideInteger(reply: Reply): bigint {
  if (!Array.isArray(reply)) return int64(reply)
  const [high, low] = tuple(int64, int64)(reply)
  return high * 2n ** 32n + low
}
