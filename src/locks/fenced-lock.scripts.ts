import { integer, list } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import { acquired } from './acquired.js'
import { leaving, taking } from './lock.scripts.js'
import acquireLua from './lua/fenced-lock/acquire.lua'
import releaseLua from './lua/fenced-lock/release.lua'
import tokenForLua from './lua/fenced-lock/token-for.lua'
import tokenLua from './lua/fenced-lock/token.lua'

/** As of a lock; the third number is the token. */
export const acquire = defineScript('fenced-lock/acquire', {
  lua: [...taking, tokenForLua, acquireLua],
  keys: ['lock', 'request', 'token'],
  args: ['leaseMs', 'owner', 'holds'],
  reply: acquired,
  counts: true,
})

/** As of a lock; the fourth number is the heir's token. */
export const release = defineScript('fenced-lock/release', {
  lua: [...leaving, tokenForLua, releaseLua],
  keys: ['lock', 'channel', 'request', 'token'],
  args: ['owner', 'holds', 'leaseMs', 'heir', 'heirLeaseMs', 'publish'],
  reply: list(integer),
  counts: true,
})

/** The token that was given out last; 0 if none was. */
export const lastToken = defineScript('fenced-lock/token', {
  lua: tokenLua,
  keys: ['token'],
  args: [],
  reply: integer,
  counts: false,
})
