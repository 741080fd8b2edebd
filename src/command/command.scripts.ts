import commandLua from './lua/command.lua'
import { unread } from './replies.js'
import { defineScript } from './script.js'

/** The reply of the command. */
export const runCommand = defineScript('command', {
  lua: commandLua,
  keys: ['...keys'],
  args: ['...words'],
  reply: unread,
  repeat: 'counting',
})
