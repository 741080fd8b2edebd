import { boolean, integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import addIfExistsLua from './add-if-exists.lua'

const moving = { lua: addIfExistsLua, keys: ['geo'], args: ['...entries'] } as const

/** Whether the member is there (1). A copy that does not find it cannot know whether the first one did. */
export const addIfExists = defineScript('geo/add-if-exists', {
  ...moving,
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many of the members are there. A copy of it may find less. */
export const addAllIfExist = defineScript('geo/add-all-if-exist', {
  ...moving,
  reply: integer,
  repeat: 'counting',
})
