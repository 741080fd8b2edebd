import { integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import { acquiredWithToken, tookOver } from '../shared/engine/acquire-reply.js'
import { replacing, taking } from '../reentrant/lock.scripts.js'
import acquireLua from './acquire.lua'
import acquireAgainLua from './acquire-again.lua'
import takeOverLua from './take-over.lua'
import tokenForLua from './token-for.lua'
import tokenLua from './token.lua'

/** As of a lock; the third number is the token. */
export const acquire = defineScript('fenced-lock/acquire', {
  first: acquireLua,
  lua: [...taking, tokenForLua, acquireAgainLua],
  keys: ['lock', 'request', 'token'],
  args: ['leaseMs', 'owner', 'holds', 'stale', 'mints'],
  reply: acquiredWithToken,
  repeat: 'counting',
})

/** As of a lock; the fourth number is the token. */
export const takeOver = defineScript('fenced-lock/take-over', {
  lua: [...replacing, tokenForLua, takeOverLua],
  keys: ['lock', 'request', 'token'],
  args: ['leaseMs', 'owner', 'predecessor'],
  reply: tookOver,
  repeat: 'counting',
})

/** The token that was given out last; 0 if none was. */
export const lastToken = defineScript('fenced-lock/token', {
  lua: tokenLua,
  keys: ['token'],
  args: [],
  reply: integer,
  repeat: 'safe',
})
