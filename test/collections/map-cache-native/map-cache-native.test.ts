import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  CodecError,
  jsonCodec,
  longCodec,
  NotInBatchError,
  WrongTypeError,
  type RMapCacheNative,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { needEndsOfFields } from './ends-of-fields.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000
const LONG = { ttlMs: LONG_MS }

/** More than one request may be about. */
const MANY = 12_000

type Cache = RMapCacheNative<string, number>

describe.each(slottedTopologies)('a native map cache ($kind)', (topology) => {
  noLeaks(topology)
  needEndsOfFields()
  const clients = twoClients(topology)
  let names = 0

  const ask = (name: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, name, command, ...args)

  const withCache = async (
    use: (cache: Cache, name: string) => Promise<void>,
    name = `native-${topology.kind}-${String(names++)}`,
  ) => {
    const cache = clients.mine.getMapCacheNative<string, number>(name)
    try {
      await use(cache, name)
    } finally {
      await clients.mine.getBucket(name).delete()
    }
  }

  const expectLong = async (cache: Cache, key: string, ms = LONG_MS) => {
    const left = await cache.remainTimeToLive(key)
    expect(left).toBeGreaterThan(ms - 60_000)
    expect(left).toBeLessThanOrEqual(ms)
  }

  /** Has entries be over that the server has not removed yet. */
  const withoutCleaning = async (use: () => Promise<void>) => {
    const set = (on: 0 | 1) =>
      Promise.all(topology.nodes.map((node) => node.command('DEBUG', 'SET-ACTIVE-EXPIRE', on)))
    await set(0)
    try {
      await use()
    } finally {
      await set(1)
    }
  }

  it.each(['{braces}:native', 'a{b}c', 'имя', 'plain-native'])('may be called %s', async (at) => {
    await withCache(async (cache, name) => {
      expect(await cache.put('é', 1, LONG)).toBeUndefined()
      await expectLong(cache, 'é')
      expect(await clients.other.getMap(name).get('é')).toBe(1)
      expect(await ask(name, 'HGETALL')).toEqual(['é', '1'])
    }, at)
  })

  it('puts with a time as it does without', async () => {
    await withCache(async (cache) => {
      expect(await cache.put('a', 1, LONG)).toBeUndefined()
      expect(await cache.put('a', 2, LONG)).toBe(1)
      expect(await cache.fastPut('a', 3, LONG)).toBe(false)
      expect(await cache.fastPut('b', 3, LONG)).toBe(true)
      expect(await cache.putIfAbsent('a', 4, LONG)).toBe(3)
      expect(await cache.putIfAbsent('c', 4, LONG)).toBeUndefined()
      expect(await cache.fastPutIfAbsent('c', 5, LONG)).toBe(false)
      expect(await cache.fastPutIfAbsent('d', 5, LONG)).toBe(true)
      expect(await cache.putIfExists('d', 6, LONG)).toBe(5)
      expect(await cache.putIfExists('x', 6, LONG)).toBeUndefined()
      expect(await cache.readAllMap()).toEqual(new Map(Object.entries({ a: 3, b: 3, c: 4, d: 6 })))
      for (const key of ['a', 'b', 'c', 'd']) await expectLong(cache, key)
    })
  })

  it('leaves the end of an entry that it does not put', async () => {
    await withCache(async (cache) => {
      await cache.put('a', 1)
      expect(await cache.putIfAbsent('a', 2, LONG)).toBe(1)
      expect(await cache.fastPutIfAbsent('a', 2, LONG)).toBe(false)
      expect(await cache.putIfExists('x', 2, LONG)).toBeUndefined()
      expect(await cache.putIfAllKeysExist({ a: 2, x: 2 }, LONG)).toBe(false)
      expect(await cache.putIfAllKeysAbsent({ a: 2, x: 2 }, LONG)).toBe(false)
      expect(await cache.remainTimeToLive('a')).toBe(-1)
      expect(await cache.readAllMap()).toEqual(new Map([['a', 1]]))
    })
  })

  it('has no end any more where a value is set without one, and keeps it where it is added to', async () => {
    const puts: Readonly<Record<string, (cache: Cache) => Promise<unknown>>> = {
      put: (cache) => cache.put('k', 2),
      'put with 0': (cache) => cache.put('k', 2, { ttlMs: 0 }),
      fastPut: (cache) => cache.fastPut('k', 2),
      putAll: (cache) => cache.putAll({ k: 2 }),
      putIfExists: (cache) => cache.putIfExists('k', 2),
      fastPutIfExists: (cache) => cache.fastPutIfExists('k', 2),
      putIfAllKeysExist: (cache) => cache.putIfAllKeysExist({ k: 2 }),
      replace: (cache) => cache.replace('k', 2),
      'replace of an expected value': (cache) => cache.replace('k', 1, 2),
      compute: (cache) => cache.compute('k', () => 2),
    }
    await withCache(async (cache) => {
      for (const [what, put] of Object.entries(puts)) {
        await cache.put('k', 1, LONG)
        await put(cache)
        expect(await cache.remainTimeToLive('k'), what).toBe(-1)
      }
      await cache.put('k', 1, LONG)
      expect(await cache.addAndGet('k', 2)).toBe(3)
      await expectLong(cache, 'k')
    })
  })

  it('puts several together, with one end', async () => {
    await withCache(async (cache) => {
      await cache.putAll({ a: 1, b: 2 }, LONG)
      expect(await cache.putIfAllKeysExist({ a: 3, b: 4 }, { ttlMs: 2 * LONG_MS })).toBe(true)
      expect(await cache.putIfAllKeysAbsent({ c: 5, d: 6 }, LONG)).toBe(true)
      expect(await cache.putIfAllKeysAbsent([], LONG)).toBe(true)
      expect(await cache.putIfAllKeysExist(new Map(), LONG)).toBe(true)
      await cache.putAll(
        [
          ['e', 7],
          ['e', 8],
        ],
        LONG,
      )
      expect(await cache.readAllMap()).toEqual(new Map(Object.entries({ a: 3, b: 4, c: 5, d: 6, e: 8 })))
      await expectLong(cache, 'a', 2 * LONG_MS)
      for (const key of ['c', 'd', 'e']) await expectLong(cache, key)
    })
  })

  it('sets and removes the ends of entries', async () => {
    await withCache(async (cache) => {
      await cache.putAll({ a: 1, b: 2 })
      expect(await cache.expireEntry('a', LONG)).toBe(true)
      expect(await cache.expireEntry('x', LONG)).toBe(false)
      expect(await cache.expireEntries(['a', 'b', 'x'], LONG)).toBe(2)
      expect(await cache.remainTimeToLiveEach(['b', 'x'])).toEqual(
        new Map([
          ['b', expect.any(Number)],
          ['x', -2],
        ]),
      )
      expect(await cache.clearExpire('a')).toBe(true)
      expect(await cache.clearExpire('a')).toBe(false)
      expect(await cache.clearExpire('x')).toBe(false)
      expect(await cache.clearExpireEach(['a', 'b', 'x'])).toEqual(
        new Map(Object.entries({ a: false, b: true, x: false })),
      )
      await cache.expireEntry('a', LONG)
      expect(await cache.clearExpireEach(['a', 'b', 'a'])).toEqual(
        new Map(Object.entries({ a: true, b: false })),
      )
      expect(await cache.remainTimeToLive('b')).toBe(-1)
      expect(await cache.remainTimeToLive('x')).toBe(-2)
      expect(await cache.readAllMap()).toEqual(new Map(Object.entries({ a: 1, b: 2 })))
    })
  })

  it('sets ends by those that there are', async () => {
    await withCache(async (cache) => {
      await cache.putAll({ none: 1 })
      await cache.putAll({ ends: 2 }, LONG)
      const all = ['none', 'ends', 'x']
      expect(await cache.expireEntryIfNotSet('ends', { ttlMs: 1 })).toBe(false)
      expect(await cache.expireEntryIfGreater('ends', { ttlMs: 1 })).toBe(false)
      expect(await cache.expireEntryIfGreater('none', LONG)).toBe(false)
      expect(await cache.expireEntryIfLess('ends', { ttlMs: 2 * LONG_MS })).toBe(false)
      expect(await cache.expireEntriesIfGreater(all, { ttlMs: 2 * LONG_MS })).toBe(1)
      await expectLong(cache, 'ends', 2 * LONG_MS)
      expect(await cache.expireEntriesIfNotSet(all, { ttlMs: 3 * LONG_MS })).toBe(1)
      await expectLong(cache, 'none', 3 * LONG_MS)
      expect(await cache.clearExpire('none')).toBe(true)
      expect(await cache.expireEntriesIfLess(all, LONG)).toBe(2)
      expect(await cache.expireEntryIfGreater('ends', { ttlMs: 2 * LONG_MS })).toBe(true)
      expect(await cache.expireEntryIfLess('ends', LONG)).toBe(true)
      expect(await cache.clearExpire('ends')).toBe(true)
      expect(await cache.expireEntryIfNotSet('ends', LONG)).toBe(true)
      for (const key of ['none', 'ends']) await expectLong(cache, key)
    })
  })

  it('computes values that end', async () => {
    await withCache(async (cache) => {
      expect(await cache.compute('k', (_, before = 0) => before + 1, LONG)).toBe(1)
      await expectLong(cache, 'k')
      expect(await cache.compute('k', (_, before = 0) => before + 1)).toBe(2)
      expect(await cache.remainTimeToLive('k')).toBe(-1)
      expect(await cache.computeIfPresent('k', (_, before) => before + 1, LONG)).toBe(3)
      await expectLong(cache, 'k')
      expect(await cache.computeIfAbsent('k', () => 9, { ttlMs: 1 })).toBe(3)
      await expectLong(cache, 'k')
      expect(await cache.merge('k', 4, (before, value) => before + value, { ttlMs: 2 * LONG_MS })).toBe(7)
      await expectLong(cache, 'k', 2 * LONG_MS)
      expect(await cache.computeIfAbsent('new', () => 8, LONG)).toBe(8)
      await expectLong(cache, 'new')
      expect(await cache.compute('k', () => undefined, LONG)).toBeUndefined()
      expect(await cache.containsKey('k')).toBe(false)
    })
  })

  it('shows an entry that has ended to no method that returns entries, before the server removes it', async () => {
    await withoutCleaning(async () => {
      await withCache(async (cache) => {
        const over = async () => {
          await cache.putAll({ stays: 1 })
          await cache.putAll({ over: 2 }, { ttlMs: 1 })
          await eventually(async () => {
            expect(await cache.get('over')).toBeUndefined() // HPTTL of Redis 7.4 is a millisecond ahead
          })
          expect(await cache.remainTimeToLive('over')).toBe(-2)
        }
        await over()
        expect(await cache.get('over')).toBeUndefined()
        expect(await cache.getAll(['over', 'stays'])).toEqual(new Map([['stays', 1]]))
        expect(await cache.containsKey('over')).toBe(false)
        expect(await cache.containsValue(2)).toBe(false)
        expect(await cache.valueSize('over')).toBe(0)
        expect(await cache.randomKeys(9)).toEqual(['stays'])
        expect(await cache.randomEntries(9)).toEqual(new Map([['stays', 1]]))
        expect(await cache.readAllKeySet()).toEqual(['stays'])
        expect(await cache.readAllValues()).toEqual([1])
        expect(await cache.readAllEntrySet()).toEqual([['stays', 1]])
        expect(await allOf(cache.keys())).toEqual(['stays'])
        expect(await allOf(cache)).toEqual([['stays', 1]])
        expect(await cache.expireEntry('over', LONG)).toBe(false)
        expect(await cache.clearExpire('over')).toBe(false)
        expect(await cache.remove('over', 2)).toBe(false)
        expect(await cache.putIfExists('over', 3, LONG)).toBeUndefined()
        expect(await cache.putIfExists('over', 3)).toBeUndefined()
        expect(await cache.replace('over', 2, 3)).toBe(false)
        const sets: ((cache: Cache) => Promise<unknown>)[] = [
          () => cache.put('over', 3),
          () => cache.put('over', 3, LONG),
          () => cache.fastPutIfAbsent('over', 3),
          () => cache.putIfAbsent('over', 3, LONG),
          () => cache.addAndGet('over', 3),
          () => cache.compute('over', (_, before = 3) => before),
          () => cache.putIfAllKeysAbsent({ over: 3 }, LONG),
        ]
        for (const set of sets) {
          await over()
          await set(cache)
          expect(await cache.get('over')).toBe(3)
        }
      })
    })
  })

  /** What there is of an entry that has ended, and what the calls return that would find one. */
  const onEnded: Readonly<Record<string, readonly [(cache: Cache) => Promise<unknown>, unknown, unknown?]>> =
    {
      expireEntry: [(cache) => cache.expireEntry('over', LONG), false],
      expireEntries: [(cache) => cache.expireEntries(['over', 'stays', 'over'], LONG), 1],
      expireEntryIfNotSet: [(cache) => cache.expireEntryIfNotSet('over', LONG), false],
      expireEntryIfGreater: [(cache) => cache.expireEntryIfGreater('over', LONG), false],
      expireEntriesIfGreater: [(cache) => cache.expireEntriesIfGreater(['over', 'stays'], LONG), 0],
      expireEntryIfLess: [(cache) => cache.expireEntryIfLess('over', LONG), false],
      clearExpire: [(cache) => cache.clearExpire('over'), false],
      clearExpireEach: [(cache) => cache.clearExpireEach(['over']), new Map([['over', false]])],
      fastPut: [(cache) => cache.fastPut('over', 3), true, 3],
      'fastPut with a time': [(cache) => cache.fastPut('over', 3, LONG), true, 3],
      fastPutIfAbsent: [(cache) => cache.fastPutIfAbsent('over', 3), true, 3],
      fastRemove: [(cache) => cache.fastRemove('over', 'stays', 'over', 'stays'), 1],
      'fastRemove of it alone': [(cache) => cache.fastRemove('over'), 0],
      addAndGet: [(cache) => cache.addAndGet('over', 3), 3, 3],
    }

  it.each(Object.entries(onEnded))(
    'takes an entry that has ended, and was not read since, for none: %s',
    async (_, [call, expected, after]) => {
      await withoutCleaning(async () => {
        await withCache(async (cache, name) => {
          await cache.put('stays', 1)
          await ask(name, 'HSET', 'over', '2')
          await ask(name, 'HPEXPIRE', 1, 'FIELDS', 1, 'over')
          await sleep(5) // reading it would have the server free it
          expect(await call(cache)).toEqual(expected)
          expect(await cache.get('over')).toBe(after)
        })
      })
    },
  )

  it.each([1, 600])('is not copied once all of its %d entries have ended', async (count) => {
    const name = `{native-over-${topology.kind}-${String(count)}}`
    const target = clients.mine.getMapCacheNative<string, number>(`${name}copy`)
    await withoutCleaning(async () => {
      await withCache(async (cache) => {
        await cache.putAll(
          Array.from({ length: count }, (_, n): [string, number] => [String(n), n]),
          { ttlMs: 1 },
        )
        await sleep(5)
        expect(await cache.copy(target.name)).toBe(false)
        expect(await target.isExists()).toBe(false)
        await target.put('before', 1)
        expect(await cache.copy(target.name, { replace: true })).toBe(false)
        expect(await target.randomKeys(1)).toEqual(['before'])
        await cache.put('stays', 1)
        expect(await cache.copy(target.name, { replace: true })).toBe(true)
        expect(await target.readAllKeySet()).toEqual(['stays'])
        await target.delete()
      }, name)
    })
  })

  it('is gone with its last entry, which the server removes by itself', async () => {
    await withCache(async (cache) => {
      await cache.put('k', 1, { ttlMs: 1 })
      await eventually(async () => {
        expect(await cache.isExists()).toBe(false)
      })
      expect(await cache.size()).toBe(0)
    })
  })

  it('listens for entries that expire', async () => {
    await Promise.all(
      topology.nodes.map((node) => node.command('CONFIG', 'SET', 'notify-keyspace-events', 'KA')),
    )
    await withCache(async (cache, name) => {
      const heard: string[] = []
      await using _subscription = await cache.addListener('entryExpired', (at) => heard.push(at))
      await cache.putAll({ stays: 1 })
      await cache.put('over', 1, { ttlMs: 1 })
      await eventually(async () => {
        expect(heard).toEqual([name])
        await Promise.resolve()
      })
    })
    await Promise.all(
      topology.nodes.map((node) => node.command('CONFIG', 'SET', 'notify-keyspace-events', '')),
    )
  })

  it('keeps the ends of its entries under another name, and in a copy', async () => {
    const name = `{native-${topology.kind}}`
    await withCache(async (cache) => {
      await cache.put('k', 1, LONG)
      await cache.rename(`${name}renamed`)
      const renamed = clients.mine.getMapCacheNative<string, number>(`${name}renamed`)
      await expectLong(renamed, 'k')
      await renamed.copy(`${name}copy`)
      const copy = clients.mine.getMapCacheNative<string, number>(`${name}copy`)
      await expectLong(copy, 'k')
      const state = await copy.dump()
      await renamed.delete()
      await renamed.restore(state ?? Buffer.alloc(0))
      await expectLong(renamed, 'k')
      expect(await renamed.expire(LONG_MS)).toBe(true)
      expect(await renamed.clearExpire()).toBe(true)
      await expectLong(renamed, 'k')
      await Promise.all([renamed.delete(), copy.delete()])
    }, name)
  })

  it('takes many entries and keys', async () => {
    await withCache(async (cache) => {
      const keys = Array.from({ length: MANY }, (_, n) => `k${String(n)}`)
      await cache.putAll(
        keys.map((key, n): [string, number] => [key, n]),
        LONG,
      )
      expect(await cache.size()).toBe(MANY)
      const left = await cache.remainTimeToLiveEach(keys)
      expect(Math.min(...left.values())).toBeGreaterThan(0)
      expect(await cache.expireEntries(keys, LONG)).toBe(MANY)
      expect([...(await cache.clearExpireEach(keys)).values()].filter(Boolean)).toHaveLength(MANY)
      const tooMany = keys.map((key): [string, number] => [key, 1])
      await expect(cache.putIfAllKeysExist(tooMany, LONG)).rejects.toThrow('5000 or less')
    })
  })

  it('takes the longest time that it says, and refuses what is wrong', async () => {
    await withCache(async (cache, name) => {
      await cache.put('k', 1, { ttlMs: 6e13 })
      expect(await cache.remainTimeToLive('k')).toBeGreaterThan(5e13)
      await cache.expireEntry('k', { ttlMs: 6e13 })
      const wrong: (() => Promise<unknown>)[] = [
        () => cache.put('k', 2, { ttlMs: 6e13 + 1 }),
        () => cache.put('k', 2, { ttlMs: -1 }),
        () => cache.expireEntry('k', { ttlMs: 0 }),
        () => cache.expireEntry('k', { ttlMs: -5 }),
        () => cache.expireEntries(['k'], { ttlMs: NaN }),
        () => cache.compute('k', () => 2, { ttlMs: -1 }),
      ]
      for (const call of wrong) await expect(call()).rejects.toThrow(RangeError)
      const mistyped: (() => Promise<unknown>)[] = [
        () => cache.put('k', 2, 5 as never),
        () => cache.put('k', 2, { ttl: 5 } as never),
        () => cache.put('k', undefined as never, LONG),
        () => cache.put(undefined as never, 2, LONG),
        () => cache.expireEntry('k', undefined as never),
        () => cache.expireEntries('k' as never, LONG),
        () => cache.clearExpire(undefined as never),
        () => cache.remainTimeToLive(undefined as never),
      ]
      for (const call of mistyped) await expect(call()).rejects.toThrow(TypeError)
      const untyped = cache as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
      for (const method of ['fastPutIfExists', 'fastReplace'])
        await expect(untyped[method]?.('k', 2, LONG)).rejects.toThrow('it takes no time: putIfExists() does')
      await expect(cache.put('k', NaN, LONG)).rejects.toThrow(CodecError)
      expect(await cache.readAllMap()).toEqual(new Map([['k', 1]]))
      await ask(name, 'DEL')
      await ask(name, 'RPUSH', 'a')
      for (const call of [
        () => cache.put('k', 1, LONG),
        () => cache.putAll({ k: 1 }, LONG),
        () => cache.expireEntry('k', LONG),
        () => cache.remainTimeToLive('k'),
        () => cache.clearExpire('k'),
        () => cache.putIfAllKeysAbsent({ k: 1 }),
      ])
        await expect(call()).rejects.toThrow(WrongTypeError)
    })
  })

  it('has keys of any codec', async () => {
    const name = `native-${topology.kind}-long`
    const cache = clients.mine.getMapCacheNative<number, string>(name, {
      codec: { key: longCodec(), value: jsonCodec() as never },
    })
    await cache.putAll(new Map([[7, 'Ada']]), LONG)
    expect([...(await cache.remainTimeToLiveEach([7])).keys()]).toEqual([7])
    expect(await cache.get(7)).toBe('Ada')
    await cache.delete()
  })

  it('works in a batch', async () => {
    await withCache(async (cache, name) => {
      const results = await clients.mine.batch((batch) => {
        const inBatch = batch.getMapCacheNative<string, number>(name)
        return [
          inBatch.put('a', 1, LONG),
          inBatch.putAll({ b: 2 }, LONG),
          inBatch.clearExpire('a'),
          inBatch.remainTimeToLive('a'),
          inBatch.expireEntriesIfNotSet(['a', 'b'], LONG),
        ]
      })
      expect(results).toEqual([undefined, undefined, true, -1, 1])
      await expect(
        clients.mine.batch((batch) => [
          batch.getMapCacheNative<string, number>(name).compute('a', () => 1, LONG),
        ]),
      ).rejects.toThrow(NotInBatchError)
      await expectLong(cache, 'a')
    })
  })
})
