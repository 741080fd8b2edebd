import { boolean, int64, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import otherKindLua from '../../core/lua/object/other-kind.lua'
import takeIdsLua from './take-ids.lua'
import tryInitLua from './try-init.lua'

const keys = ['generator', 'allocation'] as const

/** Whether the generator was set up (1). A copy of it that finds one cannot know which client did that. */
export const tryInit = defineScript('id-generator/try-init', {
  lua: [otherKindLua, tryInitLua],
  keys,
  args: ['value', 'size'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/**
 * The first id, how many there are, and how many a block has; undefined if none were taken ahead.
 *
 * It is sent again: a copy takes ids of its own. Those of the copy whose reply was lost are never used, and none is used twice.
 */
export const takeIds = defineScript('id-generator/take-ids', {
  lua: [otherKindLua, takeIdsLua],
  keys,
  args: ['wanted'],
  reply: nullable(tuple(int64, int64, int64)),
  repeat: 'idempotent',
})
