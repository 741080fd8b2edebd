import { integer, tuple } from '../command/operation/replies.js'
import { defineScript } from '../command/operation/script.js'
import restOfLua from './lua/rest-of.lua'
import serverTimeLua from './lua/server-time.lua'
import expireLua from './lua/object/expire.lua'
import expireObjectLua from './lua/object/expire-object.lua'
import expiresAtLua from './lua/object/expires-at.lua'
import expiryLua from './lua/object/expiry.lua'
import expiryOfLua from './lua/object/expiry-of.lua'
import givenKeysLua from './lua/object/given-keys.lua'
import otherKindLua from './lua/object/other-kind.lua'
import persistLua from './lua/object/persist.lua'

/**
 * The scripts that have all keys of an object expire, or not.
 *
 * @param family - what their names begin with
 * @param otherKeysLua - finds all keys but the first, by `otherKeys()`
 * @param otherExpiryLua - finds when each of them expires, by `expiryOf()`
 * @param persistAllLua - is the script that has them expire no more
 */
export function expiryScripts(
  family: string,
  otherKeysLua: string,
  otherExpiryLua = expiryOfLua,
  persistAllLua = persistLua,
) {
  const changing = [restOfLua, otherKindLua, otherKeysLua]
  return {
    /** Whether the object expires at that moment (1). */
    expire: defineScript(`${family}/expire`, {
      lua: [...changing, serverTimeLua, expiresAtLua, otherExpiryLua, expireObjectLua, expireLua],
      keys: ['object', '...others'],
      args: ['moment', 'ttlMs', 'condition', 'kind'],
      reply: integer,
      repeat: 'counting',
    }),
    /** Whether the object would have expired (1). */
    persist: defineScript(`${family}/persist`, {
      lua: [...changing, persistAllLua],
      keys: ['object', '...others'],
      args: ['kind'],
      reply: integer,
      repeat: 'counting',
    }),
  }
}

export type ExpiryScripts = ReturnType<typeof expiryScripts>

/** Where the object says which its other keys are. */
export const ofExpiry = expiryScripts('object', givenKeysLua)

export const { expire, persist } = ofExpiry

/** In how many milliseconds the object expires, and when: -1 for never, -2 if it is not there. */
export const expiry = defineScript('object/expiry', {
  lua: [otherKindLua, serverTimeLua, expiresAtLua, expiryLua],
  keys: ['object'],
  args: ['kind'],
  reply: tuple(integer, integer),
  repeat: 'safe',
})
