import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import beginLua from './begin.lua'
import collectLua from './collect.lua'
import replyLua from './reply.lua'

/** How many clients were asked, as far as the node knows. A copy does not ask them again. */
export const begin = defineScript('adder/begin', {
  lua: [rememberLua, beginLua],
  keys: ['counter', 'semaphore', 'topic', 'request'],
  args: ['message', 'lifeMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many clients have replied. A copy adds nothing. */
export const reply = defineScript('adder/reply', {
  lua: [rememberLua, replyLua],
  keys: ['counter', 'semaphore', 'channel', 'request'],
  args: ['command', 'sum', 'lifeMs', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many clients have replied, and the text of their sum. It takes nothing away, so that a copy finds the same or more. */
export const collect = defineScript('adder/collect', {
  lua: collectLua,
  keys: ['counter', 'semaphore'],
  args: ['lifeMs'],
  reply: tuple<[number, Buffer]>(integer, bytes),
  repeat: 'idempotent',
})

/** Removes what clients have replied. */
export const drop = defineCommand('UNLINK', {
  keys: ['counter', 'semaphore'],
  args: [],
  reply: integer,
  repeat: 'idempotent',
})

/** The channel, and how many clients listen to it at one node. */
export const listeners = defineCommand('PUBSUB NUMSUB', {
  keys: [],
  args: ['topic'],
  reply: tuple<[Buffer, number]>(bytes, integer),
  repeat: 'safe',
})
