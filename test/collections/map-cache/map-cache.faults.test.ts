import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** The entries of a cache, each with its value and whether it expires. */
type State = readonly (readonly [key: string, value: unknown, expires?: boolean])[]

const LIFE = { ttlMs: 600_000, maxIdleMs: 600_000 }

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getMapCache(name, { exactlyOnce })

const NONE: State = []
const ONE: State = [['k', 1, false]]
const TWO: State = [['k', 2, false]]
const TWO_FOR_A_WHILE: State = [['k', 2, true]]
const LARGE_ONE: State = [['k', LARGE, false]]

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = cacheOf(client, name)
  const entries = await cache.readAllEntrySet()
  return await Promise.all(
    entries.map(async ([key, value]) => [key, value, (await cache.remainTimeToLive(key)) > 0] as const),
  )
}

/** A call of a cache that is empty before, or has one entry. */
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
      await cache.putAll(states[0].map(([key, value]) => [key, value] as const))
    },
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const calls: readonly CountingCall[] = [
  calling('put', (cache) => cache.put('k', 2, LIFE), 1, [ONE, TWO_FOR_A_WHILE]),
  calling('put of a new key', (cache) => cache.put('k', 1), undefined, [NONE, ONE]),
  calling('fastPut of a new key', (cache) => cache.fastPut('k', 2, LIFE), true, [NONE, TWO_FOR_A_WHILE]),
  calling('putAll', (cache) => cache.putAll({ k: 2 }, LIFE), undefined, [ONE, TWO_FOR_A_WHILE]),
  calling('putIfAbsent', (cache) => cache.putIfAbsent('k', 1), undefined, [NONE, ONE]),
  calling('fastPutIfAbsent', (cache) => cache.fastPutIfAbsent('k', 1), true, [NONE, ONE]),
  calling('putIfExists', (cache) => cache.putIfExists('k', 2), 1, [ONE, TWO]),
  calling('fastPutIfExists', (cache) => cache.fastPutIfExists('k', 2), true, [ONE, TWO]),
  calling('replace', (cache) => cache.replace('k', 2), 1, [ONE, TWO]),
  calling('replace of an expected value', (cache) => cache.replace('k', 1, 2), true, [ONE, TWO]),
  calling('remove', (cache) => cache.remove('k'), 1, [ONE, NONE]),
  calling('remove of an expected value', (cache) => cache.remove('k', 1), true, [ONE, NONE]),
  calling('put over a large value', (cache) => cache.put('k', 2), LARGE, [LARGE_ONE, TWO]),
  calling('remove of a large value', (cache) => cache.remove('k'), LARGE, [LARGE_ONE, NONE]),
  calling('fastRemove', (cache) => cache.fastRemove('k', 'none'), 1, [ONE, NONE]),
  calling('addAndGet', (cache) => cache.addAndGet('k', 1), 2, [ONE, TWO]),
  calling('addAndGet of a new key', (cache) => cache.addAndGet('k', 1), 1, [NONE, ONE]),
  calling('expireEntry', (cache) => cache.expireEntry('k', LIFE), true, [ONE, [['k', 1, true]]]),
  calling('expireEntryIfNotSet', (cache) => cache.expireEntryIfNotSet('k', LIFE), true, [
    ONE,
    [['k', 1, true]],
  ]),
  calling('clear', (cache) => cache.clear(), undefined, [ONE, NONE]),
]

testLostReplies('a map cache', calls, look)

/** A call of a cache that has one entry, while another client does something. */
function overtaken(
  what: string,
  call: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  between: (cache: ReturnType<typeof cacheOf>) => Promise<unknown>,
  answer: unknown,
  rejects = false,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => cacheOf(client, name).put('k', 1),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    between: (client, name) => between(cacheOf(client, name)),
    answer,
    rejects,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'fastPut',
    (cache) => cache.fastPut('new', 2),
    (cache) => cache.put('new', 3),
    true,
    true,
  ),
  overtaken(
    'putAll',
    (cache) => cache.putAll({ k: 2 }, LIFE),
    (cache) => cache.put('k', 3),
    undefined,
  ),
  overtaken(
    'fastPutIfAbsent, of what another removes',
    (cache) => cache.fastPutIfAbsent('new', 2),
    (cache) => cache.remove('new'),
    true,
    true,
  ),
  overtaken(
    'fastPutIfExists',
    (cache) => cache.fastPutIfExists('k', 2),
    (cache) => cache.remove('k'),
    true,
    true,
  ),
  overtaken(
    'fastRemove',
    (cache) => cache.fastRemove('k'),
    (cache) => cache.put('k', 3),
    1,
    true,
  ),
]

testOvertakenCalls('a map cache', repeated, look)
