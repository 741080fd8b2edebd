import { boolean, integer, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import numberAtLua from '../../core/lua/number-at.lua'
import expiresAtLua from '../../core/lua/object/expires-at.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import addLua from './add.lua'
import capacityLua from './capacity.lua'
import setCapacityLua from './set-capacity.lua'

const keys = ['buffer', 'limit'] as const
const changing = [numberAtLua, serverTimeLua, expiresAtLua] as const

/** True (1); undefined if there is no capacity, and nothing was added. */
export const add = defineScript('ring-buffer/add', {
  lua: [...changing, addLua],
  keys,
  args: ['...values'],
  reply: nullable(boolean),
  repeat: 'counting',
})

/** Whether the capacity was set (1). A copy of it that finds one cannot know which client has set it. */
export const setCapacity = defineScript('ring-buffer/set-capacity', {
  lua: [...changing, setCapacityLua],
  keys,
  args: ['capacity', 'onlyIfUnset'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** The capacity and the size; undefined if there is no capacity. */
export const capacity = defineScript('ring-buffer/capacity', {
  lua: [numberAtLua, capacityLua],
  keys,
  args: [],
  reply: nullable(tuple(integer, integer)),
  repeat: 'safe',
})
