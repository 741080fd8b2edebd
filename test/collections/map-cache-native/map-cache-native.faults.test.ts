import { describe } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { needEndsOfFields } from './ends-of-fields.js'

/** The entries of a cache, each with its value and whether it expires. */
type State = readonly (readonly [key: string, value: unknown, expires?: boolean])[]

const LIFE = { ttlMs: 600_000 }

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getMapCacheNative(name, { exactlyOnce })

const NONE: State = []
const ONE: State = [['k', 1, false]]
const ONE_FOR_A_WHILE: State = [['k', 1, true]]
const TWO_FOR_A_WHILE: State = [['k', 2, true]]

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = cacheOf(client, name)
  const entries = await cache.readAllEntrySet()
  return await Promise.all(
    entries.map(async ([key, value]) => [key, value, (await cache.remainTimeToLive(key)) > 0] as const),
  )
}

function calling(
  what: string,
  call: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      const cache = cacheOf(client, name)
      await cache.delete()
      for (const [key, value, expires = false] of states[0]) await cache.put(key, value, expires ? LIFE : {})
    },
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const calls: readonly CountingCall[] = [
  calling('put', (cache) => cache.put('k', 2, LIFE), 1, [ONE, TWO_FOR_A_WHILE]),
  calling('fastPut of a new key', (cache) => cache.fastPut('k', 2, LIFE), true, [NONE, TWO_FOR_A_WHILE]),
  calling('putAll', (cache) => cache.putAll({ k: 2 }, LIFE), undefined, [ONE, TWO_FOR_A_WHILE]),
  calling('putIfAbsent', (cache) => cache.putIfAbsent('k', 1, LIFE), undefined, [NONE, ONE_FOR_A_WHILE]),
  calling('fastPutIfAbsent', (cache) => cache.fastPutIfAbsent('k', 1, LIFE), true, [NONE, ONE_FOR_A_WHILE]),
  calling('putIfExists', (cache) => cache.putIfExists('k', 2, LIFE), 1, [ONE, TWO_FOR_A_WHILE]),
  calling('putIfAllKeysExist', (cache) => cache.putIfAllKeysExist({ k: 2 }, LIFE), true, [
    ONE,
    TWO_FOR_A_WHILE,
  ]),
  calling('putIfAllKeysAbsent', (cache) => cache.putIfAllKeysAbsent({ k: 1 }, LIFE), true, [
    NONE,
    ONE_FOR_A_WHILE,
  ]),
  calling('expireEntry', (cache) => cache.expireEntry('k', LIFE), true, [ONE, ONE_FOR_A_WHILE]),
  calling('expireEntryIfNotSet', (cache) => cache.expireEntryIfNotSet('k', LIFE), true, [
    ONE,
    ONE_FOR_A_WHILE,
  ]),
  calling('clearExpire', (cache) => cache.clearExpire('k'), true, [ONE_FOR_A_WHILE, ONE]),
  calling('clearExpireEach', (cache) => cache.clearExpireEach(['k']), new Map([['k', true]]), [
    ONE_FOR_A_WHILE,
    ONE,
  ]),
]

const repeated: readonly RepeatedCall[] = [
  {
    what: 'fastPut',
    prepare: (client, name) => cacheOf(client, name).delete(),
    call: (client, name, exactlyOnce) => cacheOf(client, name, exactlyOnce).fastPut('k', 2, LIFE),
    between: (client, name) => cacheOf(client, name).put('k', 3),
    answer: true,
    rejects: true,
  },
  {
    what: 'putIfAllKeysExist',
    prepare: (client, name) => cacheOf(client, name).put('k', 1),
    call: (client, name, exactlyOnce) => cacheOf(client, name, exactlyOnce).putIfAllKeysExist({ k: 2 }, LIFE),
    between: (client, name) => cacheOf(client, name).remove('k'),
    answer: true,
    rejects: true,
  },
]

describe('with a server that knows the ends of fields,', () => {
  needEndsOfFields()
  testLostReplies('a native map cache', calls, look)
  testOvertakenCalls('a native map cache', repeated, look)
})
