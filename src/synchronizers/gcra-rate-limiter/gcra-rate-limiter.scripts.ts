import { defineCommand } from '../../command/operation/command.js'
import { boolean, integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import acquireLua from './acquire.lua'
import consumeLua from './consume.lua'
import consumeOneLua from './consume-one.lua'
import { decision } from './decision.js'
import giveBackLua from './give-back.lua'
import levelsLua from '../shared/levels.lua'
import passLua from './pass.lua'
import peekLua from './peek.lua'
import refundLua from './refund.lua'
import turnsLua from './turns.lua'

const keys = ['state'] as const

/**
 * Whether a request passes.
 *
 * A copy would count twice, and no place of the state shows that one has run. An idempotency key costs two commands more, so it is the
 * program's choice.
 */
export const consume = defineScript('gcra-rate-limiter/consume', {
  lua: [restOfLua, levelsLua, consumeLua, passLua],
  keys,
  args: ['cost', '...limits'],
  reply: decision,
  repeat: 'counting',
})

/** The same for a single limit, which takes less time. */
export const consumeOne = defineScript('gcra-rate-limiter/consume-one', {
  first: consumeOneLua,
  lua: [levelsLua, passLua],
  keys,
  args: ['cost', 'limit', 'perMs', 'burst'],
  reply: decision,
  repeat: 'counting',
})

/** The same of one that may wait for its turn, which is in microseconds of the server's clock. */
export const acquire = defineScript('gcra-rate-limiter/acquire', {
  lua: [restOfLua, levelsLua, turnsLua, acquireLua],
  keys,
  args: ['cost', 'mostUs', '...limits'],
  reply: decision,
  repeat: 'counting',
})

/** Whether anything was given back (1). */
export const giveBack = defineScript('gcra-rate-limiter/give-back', {
  lua: [restOfLua, levelsLua, turnsLua, giveBackLua],
  keys,
  args: ['turn', 'cost', '...limits'],
  reply: integer,
  repeat: 'counting',
})

/** What is left then. */
export const refund = defineScript('gcra-rate-limiter/refund', {
  lua: [restOfLua, levelsLua, turnsLua, refundLua],
  keys,
  args: ['cost', '...limits'],
  reply: decision,
  repeat: 'counting',
})

/** Whether a request would pass. */
export const peek = defineScript('gcra-rate-limiter/peek', {
  lua: [restOfLua, levelsLua, peekLua],
  keys,
  args: ['cost', '...limits'],
  reply: decision,
  repeat: 'safe',
})

/** Whether there was a state. */
export const reset = defineCommand('UNLINK', {
  keys,
  args: [],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})
