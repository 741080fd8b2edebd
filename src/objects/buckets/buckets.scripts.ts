import { boolean, integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import setIfAllLua from './set-if-all.lua'
import setLua from './set.lua'
import trySetLua from './try-set.lua'

/** How many values were set. */
export const set = defineScript('buckets/set', {
  lua: setLua,
  keys: ['...buckets'],
  args: ['...values'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether they were set (1). A copy of it would set them again where another client has removed them meanwhile. */
export const trySet = defineScript('buckets/try-set', {
  lua: trySetLua,
  keys: ['...buckets'],
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

const conditional = {
  lua: [restOfLua, setIfAllLua],
  keys: ['...buckets'],
  args: ['exist', 'expiry', 'time', '...values'],
  reply: boolean,
} as const

/** Whether they were set (1). A copy of it that does not set them cannot tell whether an earlier one has. */
export const setIfAllExist = defineScript('buckets/set-if-all-exist', {
  ...conditional,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether they were set (1). A copy of it would set them again where another client has removed them meanwhile. */
export const setIfAllAbsent = defineScript('buckets/set-if-all-absent', {
  ...conditional,
  repeat: 'counting',
})
