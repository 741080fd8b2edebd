import type { RedissonClient } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

const filterOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getBloomFilter<string>(name, { exactlyOnce })

const setting = (asked: Promise<number>) => asked.catch(() => 0)

/** How many bits there are, and which of some values are found. */
const look = async (client: RedissonClient, name: string): Promise<unknown> => {
  const filter = filterOf(client, name)
  const found = await filter.exists(['a', 'b', 'c']).catch(() => [])
  return [await setting(filter.getSize()), found]
}

const none = (client: RedissonClient, name: string) => filterOf(client, name).delete()

/** Makes the filter anew, with these values. */
const having =
  (...values: readonly string[]) =>
  async (client: RedissonClient, name: string) => {
    const filter = filterOf(client, name)
    await filter.delete()
    await filter.tryInit(100, 0.03)
    await filter.addAll(values)
  }

const NOTHING = [0, []]
const EMPTY = [729, []]

const calls: readonly CountingCall[] = [
  {
    what: 'tryInit',
    prepare: none,
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).tryInit(100, 0.03),
    answer: true,
    states: [NOTHING, EMPTY],
  },
  {
    what: 'add',
    prepare: having(),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).add('a'),
    answer: true,
    states: [EMPTY, [729, ['a']]],
  },
  {
    what: 'addAll of some that are there',
    prepare: having('a'),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).addAll(['a', 'b', 'c']),
    answer: 2,
    states: [
      [729, ['a']],
      [729, ['a', 'b', 'c']],
    ],
  },
]

testLostReplies('a Bloom filter', calls, look)

const repeated: readonly RepeatedCall[] = [
  {
    what: 'add',
    prepare: having(),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).add('a'),
    between: (client, name) => filterOf(client, name).addAll(['a', 'b']),
    answer: true,
    rejects: true,
  },
  {
    what: 'addAll',
    prepare: having(),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).addAll(['a', 'b']),
    between: (client, name) => filterOf(client, name).add('c'),
    answer: 2,
    rejects: true,
  },
  {
    what: 'addAll, while the filter is made anew with one of them',
    prepare: having(),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).addAll(['a', 'b']),
    between: having('b'),
    answer: 2,
    rejects: true,
  },
  {
    what: 'tryInit',
    prepare: none,
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).tryInit(100, 0.03),
    between: (client, name) => filterOf(client, name).add('a'),
    answer: true,
    rejects: true,
  },
  {
    what: 'add to a filter that is made anew with other settings',
    prepare: having('b'),
    call: (client, name, exactlyOnce) => filterOf(client, name, exactlyOnce).add('a'),
    between: async (client, name) => {
      await filterOf(client, name).delete()
      await filterOf(client, name).tryInit(1_000, 0.001)
    },
    answer: true,
  },
]

testOvertakenCalls('a Bloom filter', repeated, look)
