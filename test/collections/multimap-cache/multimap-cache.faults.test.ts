import type { RedissonClient } from '../../../src/index.js'
import { multimapEnds } from '../../../src/core/context/names.js'
import { askOwner } from '../../support/ask-owner.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { single } from '../../support/topologies.js'

/** The values of the keys, and which keys end. */
type State = readonly [values: Readonly<Record<string, readonly unknown[]>>, ending: readonly string[]]

const LONG_MS = 600_000

const cacheOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getListMultimapCache<string, number>(name, { exactlyOnce })

async function look(client: RedissonClient, name: string): Promise<State> {
  const ends = multimapEnds(name, 'list')
  const ending = (await askOwner(single, ends, 'ZRANGE', 0, -1)) as string[]
  const cache = client.getListMultimap<string, number>(name)
  const keys = await cache.readAllKeySet()
  const values = await Promise.all(keys.map(async (key) => [key, await cache.getAll(key)] as const))
  return [Object.fromEntries(values), ending]
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
  calling('fastRemoveValue', (cache) => cache.fastRemoveValue(1), 1, [ENDING, NONE]),
]

testLostReplies('a multimap cache', calls, look)

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

testOvertakenCalls('a multimap cache', repeated, look)
