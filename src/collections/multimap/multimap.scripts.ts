import { boolean, bytes, integer, list, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import { expiryScripts } from '../../core/redisson-expirable.scripts.js'
import { scriptsOfAllKeys } from '../../core/redisson-object.scripts.js'
import beginKeyLua from './lua/begin-key.lua'
import containsValueLua from './lua/contains-value.lua'
import fastRemoveLua from './lua/fast-remove.lua'
import fastReplaceLua from './lua/fast-replace.lua'
import keysOfValuesLua from './lua/keys-of-values.lua'
import otherHashLua from './lua/other-hash.lua'
import removeValuesLua from './lua/remove-values.lua'
import replaceLua from './lua/replace.lua'
import sizeLua from './lua/size.lua'
import takeLua from './lua/take.lua'
import valuesPageLua from './lua/values-page.lua'

const keysLua = `${otherHashLua}\n${keysOfValuesLua}`

export const ofAllKeys = scriptsOfAllKeys('multimap', keysLua)
export const ofExpiry = expiryScripts('multimap', keysLua)

export const { remove, touch, size, rename, copy, move } = ofAllKeys
export const { expire, persist } = ofExpiry

/**
 * How many keys were removed. A copy of it would not count those that are gone.
 *
 * @param beginLua - prepares the values of a key that the multimap does not name, by `beginKey()`
 */
export function scriptOfFastRemove(family: string, beginLua: string) {
  return defineScript(`${family}/fast-remove`, {
    lua: [restOfLua, otherHashLua, beginLua, fastRemoveLua],
    keys: ['multimap', '...values'],
    args: ['...fields'],
    reply: integer,
    repeat: 'counting',
  })
}

export const fastRemove = scriptOfFastRemove('multimap', beginKeyLua)

/**
 * The scripts of a multimap whose values are of one kind.
 *
 * @param family - what their names begin with
 * @param valuesLua - says what the values of a key are
 */
export function scriptsOfValues(family: string, valuesLua: string) {
  const values = [inPartsLua, valuesLua]
  const paging = [...values, otherHashLua, valuesPageLua]
  return {
    /** The next cursor, and how many values some keys have. */
    sizeOfPage: defineScript(`${family}/size-of-page`, {
      lua: [...paging, sizeLua],
      keys: ['multimap', 'prefix'],
      args: ['cursor', 'count'],
      reply: tuple(text, list(integer)),
      repeat: 'safe',
    }),
    /** The next cursor, and whether the value was found (1). */
    containsValue: defineScript(`${family}/contains-value`, {
      lua: [...paging, containsValueLua],
      keys: ['multimap', 'prefix'],
      args: ['cursor', 'count', 'value'],
      reply: tuple(text, list(boolean)),
      repeat: 'safe',
    }),
    /** The next cursor, and how many values were removed from some keys. */
    removeValues: defineScript(`${family}/remove-values`, {
      lua: [restOfLua, ...paging, removeValuesLua],
      keys: ['multimap', 'prefix'],
      args: ['cursor', 'count', 'whole', '...unwanted'],
      reply: tuple(text, list(integer)),
      repeat: 'counting',
    }),
    /** The values that were removed. */
    take: defineScript(`${family}/take`, {
      lua: [...values, takeLua],
      keys: ['values'],
      args: [],
      reply: list(bytes),
      repeat: 'counting',
    }),
    /** The values before. */
    replace: defineScript(`${family}/replace`, {
      lua: [...values, replaceLua],
      keys: ['values'],
      args: ['...wanted'],
      reply: list(bytes),
      repeat: 'counting',
    }),
    fastReplace: defineScript(`${family}/fast-replace`, {
      lua: [...values, fastReplaceLua],
      keys: ['values'],
      args: ['...wanted'],
      reply: integer,
      repeat: 'idempotent',
    }),
  }
}

export type ScriptsOfValues = ReturnType<typeof scriptsOfValues>
