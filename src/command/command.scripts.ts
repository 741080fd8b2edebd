import commandLua from './lua/command.lua'
import exactIntegerLua from './lua/exact-integer.lua'
import { unread } from './replies.js'
import { defineScript } from './script.js'

/** The reply of the command. */
export const runCommand = defineScript('command', {
  lua: [exactIntegerLua, commandLua],
  keys: ['...keys'],
  args: ['...words'],
  reply: unread,
  repeat: 'counting',
})
