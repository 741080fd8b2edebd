import { describe } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { single } from '../../support/topologies.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { needEndsOfFields } from '../map-cache-native/ends-of-fields.js'

/** The values of the keys, and which keys end. */
type State = readonly [values: Readonly<Record<string, readonly unknown[]>>, ending: readonly string[]]

const LONG_MS = 600_000

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getListMultimapCacheNative<string, number>(name, { exactlyOnce })

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = cacheOf(client, name)
  const keys = await cache.readAllKeySet()
  const found = await Promise.all(
    keys.map(async (key) => {
      const [end] = (await askOwner(single, name, 'HPEXPIRETIME', 'FIELDS', 1, key)) as number[]
      const isEnding = (await cache.get(key).remainTimeToLive()) > 0
      if (isEnding !== Number(end) > 0) throw new Error(`${key} and its values differ in their ends`)
      return { key, values: await cache.getAll(key), isEnding }
    }),
  )
  const ending = found.filter(({ isEnding }) => isEnding).map(({ key }) => key)
  return [Object.fromEntries(found.map(({ key, values }) => [key, values])), ending]
}

const prepare =
  ([values, ending]: State) =>
  async (client: RedissonClient, name: string) => {
    const cache = cacheOf(client, name)
    await cache.delete()
    for (const [key, some] of Object.entries(values)) await cache.putAll(key, some as number[])
    for (const key of ending) await cache.expireKey(key, LONG_MS)
  }

type OneCache = ReturnType<typeof cacheOf>

function calling(
  what: string,
  call: (cache: OneCache) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: prepare(states[0]),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const NONE: State = [{}, []]
const ONE: State = [{ a: [1] }, []]
const ENDING: State = [{ a: [1] }, ['a']]

const calls: readonly CountingCall[] = [
  calling('expireKey', (cache) => cache.expireKey('a', LONG_MS), true, [ONE, ENDING]),
  calling('expireKey for never', (cache) => cache.expireKey('a', 0), true, [ENDING, ONE]),
  calling('put', (cache) => cache.put('a', 2), true, [ENDING, [{ a: [1, 2] }, ['a']]]),
  calling('putAll of a new key', (cache) => cache.putAll('a', [1]), true, [NONE, ONE]),
  calling('remove of the last value', (cache) => cache.remove('a', 1), true, [ENDING, NONE]),
  calling('removeAll', (cache) => cache.removeAll('a'), [1], [ENDING, NONE]),
  calling('replaceValues', (cache) => cache.replaceValues('a', [3]), [1], [ENDING, [{ a: [3] }, ['a']]]),
  calling('fastRemove', (cache) => cache.fastRemove('a', 'b'), 1, [ENDING, NONE]),
  calling('clearExpire', (cache) => cache.clearExpire(), false, [ENDING, ENDING]),
]

const repeated: readonly RepeatedCall[] = [
  {
    what: 'expireKey, of what is removed',
    prepare: prepare(ONE),
    call: (client, name, exactlyOnce) => cacheOf(client, name, exactlyOnce).expireKey('a', LONG_MS),
    between: (client, name) => cacheOf(client, name).fastRemove('a'),
    answer: true,
    rejects: true,
  },
  {
    what: 'fastRemove, of what is put anew',
    prepare: prepare(ENDING),
    call: (client, name, exactlyOnce) => cacheOf(client, name, exactlyOnce).fastRemove('a'),
    between: (client, name) => cacheOf(client, name).put('a', 5),
    answer: 1,
    rejects: true,
  },
]

describe('with a server that knows the ends of fields,', () => {
  needEndsOfFields()
  testLostReplies('a native multimap cache', calls, look)
  testOvertakenCalls('a native multimap cache', repeated, look)
})
