import { boolean, integer, list, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import otherKindLua from '../../core/lua/object/other-kind.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './add.lua'
import containsLua from './contains.lua'
import countLua from './count.lua'
import filterLua from './filter.lua'
import tryInitLua from './try-init.lua'

const keys = ['filter', 'config'] as const

/** Whether the filter was initialized (1). A copy of it that finds settings cannot know which client has written them. */
export const tryInit = defineScript('bloom-filter/try-init', {
  lua: [otherKindLua, tryInitLua],
  keys,
  args: ['size', 'iterations', 'insertions', 'probability'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

const adding = {
  lua: [serverTimeLua, expiresAtLua, filterLua, addLua],
  keys,
  args: ['hashes'],
} as const

/**
 * Whether a value set a bit (1); undefined if the filter is not initialized. A copy of it that finds all bits set cannot know which client has
 * set them.
 */
export const add = defineScript('bloom-filter/add', {
  ...adding,
  reply: nullable(boolean),
  repeat: 'idempotent',
  unchanged: false,
})

/** How many values set a bit; undefined if the filter is not initialized. A copy of it may find some of them, and would count less. */
export const addAll = defineScript('bloom-filter/add-all', {
  ...adding,
  reply: nullable(integer),
  repeat: 'counting',
})

/** Whether each value is there; undefined if the filter is not initialized. */
export const contains = defineScript('bloom-filter/contains', {
  lua: [filterLua, containsLua],
  keys,
  args: ['hashes'],
  reply: nullable(list(boolean)),
  repeat: 'safe',
})

/** How many bits there are, how many each value sets, and how many are set; undefined if the filter is not initialized. */
export const count = defineScript('bloom-filter/count', {
  lua: [filterLua, countLua],
  keys,
  args: [],
  reply: nullable(tuple(integer, integer, integer)),
  repeat: 'safe',
})
