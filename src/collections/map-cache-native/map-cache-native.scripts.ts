import { boolean, bytes, integer, nullable } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import expireLua from './lua/expire.lua'
import putAllLua from './lua/put-all.lua'
import putIfAllLua from './lua/put-if-all.lua'
import putLua from './lua/put.lua'
import removeLua from './lua/remove.lua'
import setAllLua from './lua/set-all.lua'
import setLua from './lua/set.lua'

const map = ['map'] as const

const putting = {
  lua: putLua,
  keys: map,
  args: ['condition', 'expected', 'ttlMs', 'silent', 'field', 'value'],
} as const

/** The value before. */
export const put = defineScript('map-cache-native/put', {
  ...putting,
  reply: nullable(bytes),
  repeat: 'counting',
})

/** Whether the value was set. */
export const putIf = defineScript('map-cache-native/put-if', {
  ...putting,
  reply: boolean,
  repeat: 'counting',
})

/** Whether the field is new. A copy of it that finds the field cannot know which client set it. */
export const fastPut = defineScript('map-cache-native/fast-put', {
  ...putting,
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

const setting = [inPartsLua, restOfLua, setAllLua]

/** All fields were set (1). */
export const putAll = defineScript('map-cache-native/put-all', {
  lua: [...setting, putAllLua],
  keys: map,
  args: ['ttlMs', '...entries'],
  reply: boolean,
  repeat: 'idempotent',
})

const conditional = {
  lua: [...setting, putIfAllLua],
  keys: map,
  args: ['exist', 'ttlMs', '...entries'],
  reply: boolean,
} as const

/** Whether they were set (1). A copy of it that does not set them cannot tell whether an earlier one has. */
export const putIfAllExist = defineScript('map-cache-native/put-if-all-exist', {
  ...conditional,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether they were set (1). A copy of it would set them again where another client has removed them meanwhile. */
export const putIfAllAbsent = defineScript('map-cache-native/put-if-all-absent', {
  ...conditional,
  repeat: 'counting',
})

/** For how many fields the end was set. A copy of it may find other ends. */
export const expire = defineScript('map-cache-native/expire', {
  lua: [inPartsLua, restOfLua, expireLua],
  keys: map,
  args: ['ttlMs', 'condition', '...fields'],
  reply: integer,
  repeat: 'counting',
})

/** Whether the field is new. A copy of it that finds the field cannot know which client set it. */
export const set = defineScript('map-cache-native/set', {
  lua: setLua,
  keys: map,
  args: ['field', 'value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many fields with values were removed. A copy of it may find less. */
export const remove = defineScript('map-cache-native/remove', {
  lua: [inPartsLua, removeLua],
  keys: map,
  args: ['...fields'],
  reply: integer,
  repeat: 'counting',
})
