import { boolean, bytes, nullable, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import endLeaseLua from './lua/lease/end-lease.lua'
import getWithLeaseLua from './lua/lease/get-with-lease.lua'
import putWithLeaseLua from './lua/lease/put-with-lease.lua'
import removeWithLeaseLua from './lua/lease/remove-with-lease.lua'
import holderLua from './lua/shared/holder.lua'
import keysLeaseLua from './lua/shared/keys-lease.lua'
import { keys, removing, storing, using } from './script-parts.js'

const leasing = { first: keysLeaseLua, keys: [...keys, 'lease'] } as const

/**
 * Whether there is a value, and the value; if there is none, the token of the call that has the lease, and whether it is this call. A copy finds the
 * lease of the first one, which has the same token.
 */
export const getWithLease = defineScript('map-cache/get-with-lease', {
  ...leasing,
  lua: [...using, getWithLeaseLua],
  args: ['token', 'leaseMs', 'field'],
  reply: tuple(boolean, nullable(bytes), nullable(text), boolean),
  repeat: 'idempotent',
})

/** Whether the value was set (1). It ends the lease, so that a second copy sets nothing, and cannot know whether the first one did. */
export const putWithLease = defineScript('map-cache/put-with-lease', {
  ...leasing,
  lua: [...storing, holderLua, putWithLeaseLua],
  args: ['publish', 'token', 'ttlMs', 'idleMs', 'field', 'value'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** Whether there was a value (1). */
export const removeWithLease = defineScript('map-cache/remove-with-lease', {
  ...leasing,
  lua: [...removing, holderLua, removeWithLeaseLua],
  args: ['publish', 'field'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether it was still that of the token (1). A token is of one call. */
export const endLease = defineScript('map-cache/end-lease', {
  lua: endLeaseLua,
  keys: ['lease'],
  args: ['token'],
  reply: boolean,
  repeat: 'idempotent',
})
