import type { RedissonClient, RListMultimap } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

/** The values of the keys, and which keys end. */
export type State = readonly [values: Readonly<Record<string, readonly unknown[]>>, ending: readonly string[]]

/** A multimap whose keys end, by the server or by the clients. */
interface OneCache extends RListMultimap<string, number> {
  expireKey(key: string, ttlMs: number): Promise<boolean>
}

type CacheOf = (client: RedissonClient, name: string, exactlyOnce?: boolean) => OneCache

const LONG_MS = 600_000

const NONE: State = [{}, []]
const ONE: State = [{ a: [1] }, []]
const ENDING: State = [{ a: [1] }, ['a']]

type Row = readonly [
  what: string,
  call: (cache: OneCache) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
]

const CALLS: readonly Row[] = [
  ['expireKey', (cache) => cache.expireKey('a', LONG_MS), true, [ONE, ENDING]],
  ['expireKey for never', (cache) => cache.expireKey('a', 0), true, [ENDING, ONE]],
  ['put', (cache) => cache.put('a', 2), true, [ENDING, [{ a: [1, 2] }, ['a']]]],
  ['putAll of a new key', (cache) => cache.putAll('a', [1]), true, [NONE, ONE]],
  ['remove of the last value', (cache) => cache.remove('a', 1), true, [ENDING, NONE]],
  ['removeAll', (cache) => cache.removeAll('a'), [1], [ENDING, NONE]],
  ['replaceValues', (cache) => cache.replaceValues('a', [3]), [1], [ENDING, [{ a: [3] }, ['a']]]],
  ['fastRemove', (cache) => cache.fastRemove('a', 'b'), 1, [ENDING, NONE]],
  ['fastRemoveValue', (cache) => cache.fastRemoveValue(1), 1, [ENDING, NONE]],
  ['clearExpire', (cache) => cache.clearExpire(), false, [ENDING, ENDING]],
]

/** Tests calls of a multimap cache whose replies are lost, or that arrive late. */
export function testLossesOf(
  what: string,
  cacheOf: CacheOf,
  look: (client: RedissonClient, name: string) => Promise<State>,
): void {
  const prepare =
    ([values, ending]: State) =>
    async (client: RedissonClient, name: string) => {
      const cache = cacheOf(client, name)
      await cache.delete()
      for (const [key, some] of Object.entries(values)) await cache.putAll(key, some as number[])
      for (const key of ending) await cache.expireKey(key, LONG_MS)
    }
  const calls = CALLS.map(([which, call, answer, states]): CountingCall => ({
    what: which,
    prepare: prepare(states[0]),
    call: (client, name, exactlyOnce) => call(cacheOf(client, name, exactlyOnce)),
    answer,
    states,
  }))
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
  testLostReplies(what, calls, look)
  testOvertakenCalls(what, repeated, look)
}
