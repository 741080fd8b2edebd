import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than Lua hands to a function. */
const MANY = 20_000

/** As many values as one request has, where each is sent with a score. */
const ONE_REQUEST = 5_000

const numbers = Array.from({ length: MANY }, (_, n) => n)
const scored = (numbers: readonly number[], delta = 0) => new Map(numbers.map((n) => [n, n + delta]))
const named = (name: string, count: number) => numbers.slice(0, count).map((n) => `{${name}}:${String(n)}`)

/** Calls of one object, which is empty before, and what they return one after the other. */
type Calls = (client: RedissonClient, name: string, exactlyOnce: boolean) => Promise<readonly unknown[]>

const calls: Readonly<Record<string, readonly [Calls, readonly unknown[]]>> = {
  'a set': [
    async (client, name, exactlyOnce) => {
      const set = client.getSet<number>(name, { exactlyOnce })
      const some = numbers.slice(0, ONE_REQUEST)
      return [
        await set.tryAdd(...some),
        await set.addAllCounted(numbers),
        await set.addAll(numbers),
        await set.containsAll(numbers),
        await set.removeAllCounted(some),
        await set.retainAll(numbers.slice(1)),
        (await set.removeRandom(ONE_REQUEST)).length,
        await set.removeAll(numbers),
        await set.size(),
      ]
    },
    [true, MANY - ONE_REQUEST, false, true, ONE_REQUEST, false, ONE_REQUEST, true, 0],
  ],
  'a scored sorted set': [
    async (client, name, exactlyOnce) => {
      const set = client.getScoredSortedSet<number>(name, { exactlyOnce })
      const half = numbers.slice(0, MANY / 2)
      return [
        await set.addAll(scored(half)),
        await set.addAllIfAbsent(scored(numbers, 1)),
        await set.addAllIfExist(scored(half, 1)),
        await set.addAllIfGreater(scored(numbers, 2)),
        await set.addAllIfLess(scored(numbers)),
        (await set.getScores(numbers)).every((score, n) => score === n),
        (await set.addAllAndGetRevRank(scored(half))).slice(0, 2),
        (await set.pollFirst(ONE_REQUEST)).length,
        await set.retainAll(numbers.slice(1)),
        await set.removeAll(numbers),
        await set.size(),
      ]
    },
    [MANY / 2, MANY / 2, MANY / 2, MANY, MANY, true, [MANY - 1, MANY - 2], ONE_REQUEST, false, true, 0],
  ],
  'a lex sorted set': [
    async (client, name, exactlyOnce) => {
      const set = client.getLexSortedSet(name, { exactlyOnce })
      const texts = numbers.map(String)
      return [
        await set.addAll(texts),
        await set.containsAll(texts),
        (await set.pollLast(ONE_REQUEST)).length,
        await set.retainAll(texts.slice(1)),
        await set.removeAll(texts),
        await set.size(),
      ]
    },
    [true, true, ONE_REQUEST, true, true, 0],
  ],
  'a geo': [
    async (client, name, exactlyOnce) => {
      const geo = client.getGeo<number>(name, { exactlyOnce })
      const entries = numbers.map((n) => ({ longitude: n / 200, latitude: n / 400, member: n }))
      return [
        await geo.add(...entries.slice(1)),
        await geo.tryAdd(...entries),
        await geo.addIfExists(...entries, { longitude: 0, latitude: 0, member: -1 }),
        (await geo.hash(...numbers)).size,
        (await geo.pos(...numbers)).size,
        await geo.delete(),
      ]
    },
    [MANY - 1, 1, MANY, MANY, MANY, true],
  ],
  'a list': [
    async (client, name, exactlyOnce) => {
      const list = client.getList<number>(name, { exactlyOnce })
      return [
        await list.addAll(numbers),
        await list.addAll(1, numbers),
        await list.containsAll(numbers),
        await list.removeAll(numbers.slice(MANY / 2)),
        await list.size(),
        await list.retainAll(numbers.slice(0, ONE_REQUEST)),
        await list.size(),
      ]
    },
    [true, true, true, true, MANY, true, 2 * ONE_REQUEST],
  ],
  'a deque': [
    async (client, name, exactlyOnce) => {
      const deque = client.getDeque<number>(name, { exactlyOnce })
      const some = numbers.slice(0, ONE_REQUEST)
      return [
        await deque.addAll(numbers),
        await deque.addFirst(...some),
        await deque.addLast(...some),
        await deque.containsAll(numbers),
        (await deque.pollFirst(ONE_REQUEST)).length,
        (await deque.pollLast(ONE_REQUEST)).length,
        (await deque.move({ to: name, count: ONE_REQUEST })).length,
        await deque.removeAll(numbers.slice(MANY / 2)),
        await deque.retainAll(some),
        await deque.size(),
      ]
    },
    [
      true,
      MANY + ONE_REQUEST,
      MANY + 2 * ONE_REQUEST,
      true,
      ONE_REQUEST,
      ONE_REQUEST,
      ONE_REQUEST,
      true,
      true,
      ONE_REQUEST,
    ],
  ],
  'a ring buffer': [
    async (client, name, exactlyOnce) => {
      const buffer = client.getRingBuffer<number>(name, { exactlyOnce })
      await buffer.setCapacity(MANY - 1)
      return [
        await buffer.addAll(numbers),
        await buffer.addAll(numbers),
        (await buffer.readNewest(MANY)).every((value, n) => value === n + 1),
        (await buffer.poll(ONE_REQUEST)).length,
        await buffer.remainingCapacity(),
        await buffer.delete(),
      ]
    },
    [true, true, true, ONE_REQUEST, ONE_REQUEST, true],
  ],
  'a bounded queue': [
    async (client, name, exactlyOnce) => {
      const queue = client.getBoundedBlockingQueue<number>(name, { exactlyOnce })
      await queue.trySetCapacity(MANY)
      for (let first = 0; first < MANY; first += ONE_REQUEST)
        await queue.addAll(numbers.slice(first, first + ONE_REQUEST))
      return [
        await queue.remainingCapacity(),
        (await queue.drainTo()).length,
        await queue.removeAll(numbers),
        await queue.remainingCapacity(),
        await queue.delete(),
      ]
    },
    [0, ONE_REQUEST, true, MANY, false],
  ],
  'a map': [
    async (client, name, exactlyOnce) => {
      const map = client.getMap<string, number>(name, { exactlyOnce })
      const keys = numbers.map(String)
      await map.putAll(new Map(numbers.map((n) => [String(n), n])))
      return [
        [...(await map.getAll(keys)).values()].every((value, n) => value === n),
        await map.fastRemove(...keys),
        await map.size(),
      ]
    },
    [true, MANY, 0],
  ],
  'a set multimap': [
    async (client, name, exactlyOnce) => {
      const multimap = client.getSetMultimap<string, number>(name, { exactlyOnce })
      const some = numbers.slice(0, ONE_REQUEST)
      const isNew = await multimap.putAll('k', numbers)
      await multimap.fastReplaceValues('k', some)
      const replaced = await multimap.replaceValues('k', some)
      await multimap.fastReplaceValues('k', numbers)
      const removed = await multimap.removeAll('k')
      return [isNew, replaced.length, removed.length, await multimap.fastRemove(...numbers.map(String))]
    },
    [true, ONE_REQUEST, MANY, 0],
  ],
  'a list multimap': [
    async (client, name, exactlyOnce) => {
      const multimap = client.getListMultimap<string, number>(name, { exactlyOnce })
      const some = numbers.slice(0, ONE_REQUEST)
      const isNew = await multimap.putAll('k', numbers)
      const replaced = await multimap.replaceValues('k', some)
      const isInserted = await multimap.get('k').addAll(0, some)
      await multimap.fastReplaceValues('k', numbers)
      const removed = await multimap.removeAll('k')
      return [isNew, replaced.length, isInserted, removed.length, await multimap.isExists()]
    },
    [true, MANY, true, MANY, false],
  ],
  'a Bloom filter': [
    async (client, name, exactlyOnce) => {
      const filter = client.getBloomFilter<number>(name, { exactlyOnce })
      return [
        await filter.tryInit(MANY, 0.000_001),
        await filter.addAll(numbers),
        (await filter.containsEach(numbers)).every(Boolean),
        await filter.delete(),
      ]
    },
    [true, MANY, true, true],
  ],
  'a bit set': [
    async (client, name, exactlyOnce) => {
      const bits = client.getBitSet(name, { exactlyOnce })
      await bits.setAll(numbers)
      const cells = numbers.slice(0, 1_000).map((n) => ({ set: 'u8', offset: n, value: 0 }) as const)
      return [
        (await bits.getEach(numbers)).every(Boolean),
        (await bits.bitField(cells)).length,
        await bits.cardinality(),
        await bits.delete(),
      ]
    },
    [true, 1_000, MANY - 1_007, true],
  ],
  'a HyperLogLog': [
    async (client, name, exactlyOnce) => [await client.getHyperLogLog(name, { exactlyOnce }).addAll(numbers)],
    [true],
  ],
  'buckets and keys': [
    async (client, name, exactlyOnce) => {
      const buckets = client.getBuckets<number>({ exactlyOnce })
      const keys = client.getKeys({ exactlyOnce })
      const names = named(name, MANY)
      const values = new Map(names.map((each) => [each, 1]))
      await buckets.set(values)
      return [
        await buckets.trySet(values),
        await buckets.setIfAllKeysExist(values),
        (await buckets.get(...names)).size,
        await keys.touch(...names),
        await keys.unlink(...names.slice(1)),
        await keys.delete(...names),
      ]
    },
    [false, true, MANY, MANY, MANY - 1, 1],
  ],
}

describe.each(slottedTopologies)('calls about many values ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  describe.each([false, true])('with `exactlyOnce` %s', (exactlyOnce) => {
    it.each(Object.entries(calls))('are about all of them: %s', async (kind, [call, answers]) => {
      const name = `many-${kind.replaceAll(' ', '-')}-${topology.kind}-${String(exactlyOnce)}`
      expect(await call(clients.mine, name, exactlyOnce)).toEqual(answers)
      await clients.other.getKeys().delete(name)
    })

    it('are one step for as many as one request has, also in a batch', async () => {
      const name = `many-batch-${topology.kind}`
      const some = numbers.slice(0, ONE_REQUEST)
      const added = await clients.mine.batch(
        (batch) => [
          batch.getScoredSortedSet<number>(name).addAll(scored(some)),
          batch.getScoredSortedSet<number>(name).addAllIfGreater(scored(some, 1)),
          batch.getSet<number>(`{${name}}:set`).tryAdd(...some),
          batch.getList<number>(`{${name}}:list`).addAll(0, some),
          batch.getDeque<number>(`{${name}}:deque`).addFirst(...some),
        ],
        { exactlyOnce },
      )
      expect(added).toEqual([ONE_REQUEST, ONE_REQUEST, true, true, ONE_REQUEST])
      await clients.other.getKeys().delete(name, `{${name}}:set`, `{${name}}:list`, `{${name}}:deque`)
    })
  })

  it('have their error where they cannot run', async () => {
    const name = `many-wrong-${topology.kind}`
    await clients.other.getBucket(name).set('a text')
    const set = clients.mine.getScoredSortedSet<number>(name, { exactlyOnce: true })
    await expect(set.addAll(scored(numbers))).rejects.toMatchObject({ code: 'WRONG_TYPE', mayHaveRun: false })
    await clients.other.getBucket(name).delete()
  })

  it('are refused with `exactlyOnce`, and not sent, where one command would be too long for Lua', async () => {
    const name = `many-names-${topology.kind}`
    const [first = '', ...others] = named(name, 8_000)
    const once = { exactlyOnce: true }
    await clients.other.getSet<number>(first).add(1)
    const set = `{${name}}:set`
    const sorted = `{${name}}:sorted`
    const log = `{${name}}:log`
    const weighted = new Map(others.slice(0, 4_000).map((other) => [other, 2]))
    expect(await clients.mine.getSet(set).union([first, ...others])).toBe(1)
    expect(await clients.mine.getSet(set, once).union([first, ...others.slice(3)])).toBe(1)
    for (const call of [
      () => clients.mine.getSet(set, once).union(others),
      () => clients.mine.getSet(set, once).diff(others),
      () => clients.mine.getSet(set, once).intersection(others),
      () => clients.mine.getScoredSortedSet(sorted, once).union(others),
      () => clients.mine.getScoredSortedSet(sorted, once).intersection(weighted),
      () => clients.mine.getScoredSortedSet(sorted, once).diff(others),
      () => clients.mine.getHyperLogLog(log, once).mergeWith(others),
      () => clients.mine.batch((batch) => [batch.getSet(set).union(others)], once),
    ])
      await expect(call()).rejects.toThrow(RangeError)
    expect(await clients.mine.getSet(set).size()).toBe(1)
    expect(await askOwner(topology, sorted, 'EXISTS')).toBe(0)
    await clients.other.getKeys().delete(first, set)
  })
})
