import { boolean } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import setLua from './set.lua'

/** The map was replaced (1). */
export const set = defineScript('maps/set', {
  lua: [inPartsLua, setLua],
  keys: ['map'],
  args: ['...entries'],
  reply: boolean,
  repeat: 'idempotent',
})
