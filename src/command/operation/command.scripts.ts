import commandLua from '../lua/command.lua'
import commandInPartsLua from '../lua/command-in-parts.lua'
import exactIntegerLua from '../lua/exact-integer.lua'
import withdrawLua from '../lua/withdraw.lua'
import { boolean, unread } from './replies.js'
import { defineScript } from './script.js'

const any = { keys: ['...keys'], args: ['...words'], reply: unread, repeat: 'counting' } as const

/** The reply of the command. */
export const runCommand = defineScript('command', { lua: [exactIntegerLua, commandLua], ...any })

/** The sum of the replies. Takes one word more, the last: how many of the others begin each part. */
export const runCommandInParts = defineScript('command-in-parts', { lua: commandInPartsLua, ...any })

/** Whether none of the copies of a request has run, so that none will for as long as this is kept. */
export const withdraw = defineScript('withdraw', {
  lua: withdrawLua,
  keys: ['once'],
  args: ['keptMs'],
  reply: boolean,
  repeat: 'idempotent',
})
