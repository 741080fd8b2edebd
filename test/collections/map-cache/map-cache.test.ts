import { describe, expect, it } from 'vitest'
import {
  longCodec,
  NotInBatchError,
  stringCodec,
  WrongTypeError,
  type MapCacheOptions,
  type RDumpable,
  type RMapCache,
} from '../../../src/index.js'
import { mapCacheKeys } from '../../../src/core/context/names.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { CacheLook } from './cache-look.js'

/** As a program without types calls. */
interface Untyped {
  put(...args: readonly unknown[]): Promise<unknown>
}

/** More than one request may be about. */
const MANY = 12_000

const LONG = { ttlMs: 600_000 }

const texts = (count: number, from = 0): [string, number][] =>
  Array.from({ length: count }, (_, place) => [`k${String(from + place)}`, from + place])

describe.each(slottedTopologies)('a map cache ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new CacheLook(topology)
  let names = 0

  /** A cache that is removed after the test. */
  const withCache = async <V = unknown>(
    use: (cache: RMapCache<string, V>, name: string) => Promise<void>,
    options?: MapCacheOptions<string, V>,
    name = `cache-${topology.kind}-${String(names++)}`,
  ) => {
    const cache = clients.mine.getMapCache(name, options)
    try {
      await use(cache, name)
      await look.demandSound(name)
    } finally {
      await cache.delete()
    }
    expect(await look.keys(name)).toEqual([])
    await look.forgetCleaning(name)
  }

  it.each<readonly [string, (cache: RMapCache<string, unknown>) => Promise<unknown>, isUse: boolean]>([
    ['containsValue', (cache) => cache.containsValue('v'), true],
    ['randomEntries', (cache) => cache.randomEntries(1), true],
    ['randomKeys', (cache) => cache.randomKeys(1), false],
    ['remove of another value', (cache) => cache.remove('k', 'w'), false],
  ])('notes by %s that an entry is used, or does not', async (_, call, isUse) => {
    await withCache(async (cache, name) => {
      const { idle, access } = mapCacheKeys(name)
      await cache.setMaxSize(9, { mode: 'LFU' })
      await cache.put('k', 'v', { maxIdleMs: LONG.ttlMs })
      const end = await look.ask(name, 'ZINCRBY', idle, -LONG.ttlMs / 2, 'k')
      await call(cache)
      expect(Number(await look.ask(name, 'ZSCORE', idle, 'k')) > Number(end)).toBe(isUse)
      expect(await look.ask(name, 'ZSCORE', access, 'k')).toBe(isUse ? '2' : '1')
    })
  })

  it('keeps its limit where its entries are gone before its time to live is over', async () => {
    await withCache(async (cache, name) => {
      await cache.setMaxSize(2)
      for (const empty of [() => cache.remove('a'), () => cache.clear()]) {
        await cache.put('a', 1)
        await cache.expire(LONG.ttlMs)
        await empty()
        await cache.put('a', 1)
        expect(await look.timesLeft(name)).toEqual([-1, -1, -1])
      }
    })
  })

  it('removes no more than some thousand entries by one request', async () => {
    await withCache(async (cache, name) => {
      await cache.putAll(texts(8_000))
      await look.ask(name, 'HSET', look.optionsOf(name), 'max-size', 10) // as a client in Java does
      await cache.putAll(texts(1_000, 8_000))
      expect(await cache.size()).toBe(7_000)
    })
  })

  it('counts uses no longer than the cache lives', async () => {
    await withCache(async (cache, name) => {
      await cache.put('a', 1)
      await cache.expire(LONG.ttlMs)
      await look.ask(name, 'HSET', look.optionsOf(name), 'max-size', 10, 'mode', 'LFU')
      await cache.get('a')
      expect(await look.uses(name)).toEqual({ a: 1 })
      const [, ofUses] = await look.timesLeft(name)
      expect(ofUses).toBeGreaterThan(0)
    })
  })

  it('is shared by all clients, and is not there at first', async () => {
    await withCache(async (cache, name) => {
      expect(await cache.get('a')).toBeUndefined()
      expect(await cache.isExists()).toBe(false)
      expect(await cache.put('a', { name: 'Ada', none: null })).toBeUndefined()
      expect(await clients.other.getMapCache(name).get('a')).toEqual({ name: 'Ada', none: null })
      expect(await cache.put('a', 'é中😀', LONG)).toEqual({ name: 'Ada', none: null })
      expect(await cache.get('a')).toBe('é中😀')
      expect(await cache.isExists()).toBe(true)
    })
  })

  it.each(['{braces}:cache', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withCache(
      async (cache) => {
        await cache.setMaxSize(3)
        await cache.put('a', 1, { ttlMs: 600_000, maxIdleMs: 600_000 })
        expect(await cache.size()).toBe(1)
        expect(await look.keys(name)).toHaveLength(5)
      },
      {},
      name,
    )
  })

  it('has nothing where it is not there', async () => {
    await withCache(async (cache) => {
      expect(await cache.getAll(['a', 'b'])).toEqual(new Map())
      expect(await cache.getAll([])).toEqual(new Map())
      expect(await cache.getWithTTLOnly('a')).toBeUndefined()
      expect(await cache.getAllWithTTLOnly(['a'])).toEqual(new Map())
      expect(await cache.size()).toBe(0)
      expect(await cache.isEmpty()).toBe(true)
      expect(await cache.valueSize('a')).toBe(0)
      expect(await cache.containsKey('a')).toBe(false)
      expect(await cache.containsValue(1)).toBe(false)
      expect(await cache.remove('a')).toBeUndefined()
      expect(await cache.remove('a', 1)).toBe(false)
      expect(await cache.fastRemove('a', 'b')).toBe(0)
      expect(await cache.fastRemove()).toBe(0)
      expect(await cache.putIfExists('a', 1)).toBeUndefined()
      expect(await cache.fastPutIfExists('a', 1)).toBe(false)
      expect(await cache.replace('a', 1)).toBeUndefined()
      expect(await cache.replace('a', 1, 2)).toBe(false)
      expect(await cache.fastReplace('a', 1)).toBe(false)
      expect(await cache.expireEntry('a', LONG)).toBe(false)
      expect(await cache.expireEntries(['a', 'b'], LONG)).toBe(0)
      expect(await cache.remainTimeToLive('a')).toBe(-2)
      expect(await cache.remainTimeToLive()).toBe(-2)
      expect(await cache.randomKeys(2)).toEqual([])
      expect(await cache.randomEntries(2)).toEqual(new Map())
      expect(await cache.readAllKeySet()).toEqual([])
      expect(await cache.readAllValues()).toEqual([])
      expect(await cache.readAllEntrySet()).toEqual([])
      expect(await cache.readAllMap()).toEqual(new Map())
      expect(await allOf(cache)).toEqual([])
      await cache.putAll([])
      await cache.clear()
      expect(await cache.isExists()).toBe(false)
    })
  })

  it('sets, replaces and removes values as a map does', async () => {
    await withCache<number>(async (cache) => {
      expect(await cache.fastPut('a', 1)).toBe(true)
      expect(await cache.fastPut('a', 2)).toBe(false)
      expect(await cache.putIfAbsent('a', 3)).toBe(2)
      expect(await cache.putIfAbsent('b', 3)).toBeUndefined()
      expect(await cache.fastPutIfAbsent('b', 4)).toBe(false)
      expect(await cache.fastPutIfAbsent('c', 4)).toBe(true)
      expect(await cache.putIfExists('c', 5)).toBe(4)
      expect(await cache.fastPutIfExists('c', 6)).toBe(true)
      expect(await cache.replace('c', 7)).toBe(6)
      expect(await cache.replace('c', 6, 8)).toBe(false)
      expect(await cache.replace('c', 7, 8)).toBe(true)
      expect(await cache.fastReplace('c', 9)).toBe(true)
      expect(await cache.readAllMap()).toEqual(new Map(Object.entries({ a: 2, b: 3, c: 9 })))
      expect(await cache.getAll(['c', 'x', 'a'])).toEqual(new Map(Object.entries({ c: 9, a: 2 })))
      expect(await cache.valueSize('a')).toBe(1)
      expect(await cache.containsKey('a')).toBe(true)
      expect(await cache.containsValue(9)).toBe(true)
      expect(await cache.containsValue(7)).toBe(false)
      expect(await cache.remove('a', 1)).toBe(false)
      expect(await cache.remove('a', 2)).toBe(true)
      expect(await cache.remove('b')).toBe(3)
      await cache.putAll({ d: 1, e: 2 })
      expect(await cache.fastRemove('c', 'd', 'x')).toBe(2)
      expect(await cache.readAllKeySet()).toEqual(['e'])
      await cache.clear()
      expect(await cache.isExists()).toBe(false)
    })
  })

  it('shows an entry that has expired to no method, before it is removed', async () => {
    const lives = [{ ttlMs: 600_000 }, { maxIdleMs: 600_000 }, { ttlMs: 600_000, maxIdleMs: 600_000 }]
    for (const life of lives)
      await withCache<number>(async (cache, name) => {
        /** Both entries of which one has expired are there, as far as Redis knows. */
        const prepare = async () => {
          await cache.putAll({ stays: 1 }, { ttlMs: 600_000 })
          await cache.putAll({ over: 2 }, life)
          await look.end(name, ['over'])
          expect(await look.fields(name)).toHaveLength(2)
        }
        const expectHidden = async (found: Promise<unknown>, expected: unknown) => {
          expect(await found).toEqual(expected)
          await prepare()
        }
        await prepare()
        await expectHidden(cache.get('over'), undefined)
        await expectHidden(cache.getAll(['over', 'stays']), new Map([['stays', 1]]))
        await expectHidden(cache.containsKey('over'), false)
        await expectHidden(cache.containsValue(2), false)
        await expectHidden(cache.containsValue(1), true)
        await expectHidden(cache.valueSize('over'), 0)
        await expectHidden(cache.size(), 1)
        await expectHidden(cache.isEmpty(), false)
        await expectHidden(cache.randomKeys(9), ['stays'])
        await expectHidden(cache.randomEntries(9), new Map([['stays', 1]]))
        await expectHidden(cache.readAllKeySet(), ['stays'])
        await expectHidden(cache.readAllValues(), [1])
        await expectHidden(cache.readAllEntrySet(), [['stays', 1]])
        await expectHidden(cache.readAllMap(), new Map([['stays', 1]]))
        await expectHidden(allOf(cache.keys()), ['stays'])
        await expectHidden(allOf(cache.values()), [1])
        await expectHidden(allOf(cache.entries()), [['stays', 1]])
        await expectHidden(allOf(cache), [['stays', 1]])
        await expectHidden(cache.remainTimeToLive('over'), -2)
        await expectHidden(cache.expireEntry('over', LONG), false)
        await expectHidden(cache.expireEntryIfNotSet('over', LONG), false)
        await expectHidden(cache.expireEntries(['over', 'stays'], LONG), 1)
        await expectHidden(cache.remove('over'), undefined)
        await expectHidden(cache.remove('over', 2), false)
        await expectHidden(cache.fastRemove('over'), 0)
        await expectHidden(cache.putIfExists('over', 3), undefined)
        await expectHidden(cache.fastPutIfExists('over', 3), false)
        await expectHidden(cache.replace('over', 3), undefined)
        await expectHidden(cache.replace('over', 2, 3), false)
        await expectHidden(cache.fastReplace('over', 3), false)
        await expectHidden(
          cache.computeIfPresent('over', () => 3),
          undefined,
        )
        await expectHidden(cache.fastRemove('stays'), 1)
        await cache.fastRemove('stays')
        expect(await cache.isExists()).toBe(false)
        await prepare()
        await cache.fastRemove('stays')
        expect(await cache.isEmpty()).toBe(true)
      })
  })

  it('shows what replaces an entry that has expired', async () => {
    await withCache<number>(async (cache, name) => {
      const over = async () => {
        await cache.put('a', 1, { ttlMs: 600_000, maxIdleMs: 600_000 })
        await look.end(name, ['a'])
      }
      const expectSet = async (result: Promise<unknown>, expected: unknown) => {
        expect(await result).toEqual(expected)
        expect(await cache.get('a')).toBe(2)
        expect(await cache.remainTimeToLive('a')).toBe(-1)
        await cache.remove('a')
        await over()
      }
      await over()
      await expectSet(cache.put('a', 2), undefined)
      await expectSet(cache.fastPut('a', 2), true)
      await expectSet(cache.putAll({ a: 2 }), undefined)
      await expectSet(cache.putIfAbsent('a', 2), undefined)
      await expectSet(cache.fastPutIfAbsent('a', 2), true)
      await expectSet(cache.addAndGet('a', 2), 2)
      await expectSet(
        cache.compute('a', (_, value) => value ?? 2),
        2,
      )
      await expectSet(
        cache.computeIfAbsent('a', () => 2),
        2,
      )
      await expectSet(
        cache.merge('a', 2, () => 3),
        2,
      )
    })
  })

  it('has a value last for the time that was given with it, or for ever', async () => {
    await withCache<number>(async (cache, name) => {
      const puts: ((life?: { ttlMs?: number; maxIdleMs?: number }) => Promise<unknown>)[] = [
        (life) => cache.put('a', 1, life),
        (life) => cache.fastPut('a', 1, life),
        (life) => cache.putAll({ a: 1 }, life),
        (life) => cache.compute('a', () => 1, life),
        (life) => cache.merge('a', 1, () => 1, life),
        (life) => cache.expireEntry('a', life ?? {}),
        (life) => cache.expireEntries(['a'], life ?? {}),
      ]
      for (const put of puts) {
        await put({ ttlMs: 60_000, maxIdleMs: 30_000 })
        await cache.put('a', 1)
        expect(await cache.remainTimeToLive('a')).toBe(-1)
        await put({ ttlMs: 60_000, maxIdleMs: 30_000 })
        await look.expectEnds(name, 'a', { ttlMs: 60_000, maxIdleMs: 30_000 })
        await put({ ttlMs: 10_000 })
        await look.expectEnds(name, 'a', { ttlMs: 10_000 })
        await put({ maxIdleMs: 10_000 })
        await look.expectEnds(name, 'a', { maxIdleMs: 10_000 })
        await put()
        await look.expectEnds(name, 'a', {})
      }
      for (const put of [
        () => cache.putIfAbsent('a', 1, { ttlMs: 60_000, maxIdleMs: 30_000 }),
        () => cache.fastPutIfAbsent('a', 1, { ttlMs: 60_000, maxIdleMs: 30_000 }),
        () => cache.computeIfAbsent('a', () => 1, { ttlMs: 60_000, maxIdleMs: 30_000 }),
      ]) {
        await put()
        await look.expectEnds(name, 'a', {})
        await cache.remove('a')
        await put()
        await look.expectEnds(name, 'a', { ttlMs: 60_000, maxIdleMs: 30_000 })
        await cache.put('a', 1)
      }
    })
  })

  it('keeps the end of an entry that is replaced or added to', async () => {
    await withCache<number>(async (cache, name) => {
      const life = { ttlMs: 60_000, maxIdleMs: 30_000 }
      await cache.put('a', 1, life)
      for (const change of [
        () => cache.putIfExists('a', 1),
        () => cache.fastPutIfExists('a', 1),
        () => cache.replace('a', 1),
        () => cache.replace('a', 1, 1),
        () => cache.fastReplace('a', 1),
        () => cache.addAndGet('a', 0),
        () => cache.putIfAbsent('a', 3, { ttlMs: 1 }),
        () => cache.fastPutIfAbsent('a', 3),
      ]) {
        await change()
        await look.expectEnds(name, 'a', life)
        expect(await cache.get('a')).toBe(1)
      }
    })
  })

  it('sets the end of entries that have none', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.putAll({ a: 1, b: 2 })
      await cache.putAll({ c: 3 }, { ttlMs: 600_000 })
      await cache.putAll({ d: 3 }, { maxIdleMs: 600_000 })
      expect(await cache.expireEntriesIfNotSet(['a', 'c', 'd', 'x'], { ttlMs: 60_000 })).toBe(1)
      expect(await cache.expireEntryIfNotSet('b', { maxIdleMs: 60_000 })).toBe(true)
      expect(await cache.expireEntryIfNotSet('b', { maxIdleMs: 90_000 })).toBe(false)
      await look.expectEnds(name, 'a', { ttlMs: 60_000 })
      await look.expectEnds(name, 'b', { maxIdleMs: 60_000 })
      await look.expectEnds(name, 'c', { ttlMs: 600_000 })
    })
  })

  it('begins the idle time anew with each read', async () => {
    await withCache<number>(async (cache, name) => {
      const reads = [
        () => cache.get('a'),
        () => cache.getAll(['a']),
        () => cache.containsKey('a'),
        () => cache.valueSize('a'),
        () => cache.putIfAbsent('a', 2),
        () => cache.readAllKeySet(),
        () => cache.readAllValues(),
        () => cache.readAllMap(),
        () => allOf(cache.keys()),
        () => allOf(cache),
        () => cache.addAndGet('a', 0),
        () => cache.replace('a', 1),
      ]
      for (const read of reads) {
        await cache.put('a', 1, { ttlMs: 600_000, maxIdleMs: 60_000 })
        await look.endSoon(name, 'a')
        await read()
        await look.expectEnds(name, 'a', { ttlMs: 600_000, maxIdleMs: 60_000 })
      }
      await cache.put('a', 1, { maxIdleMs: 60_000 })
      await look.endSoon(name, 'a')
      expect(await cache.getWithTTLOnly('a')).toBe(1)
      expect(await cache.remainTimeToLive('a')).toBeLessThan(30_000)
    })
  })

  it('reads by the time to live alone where it is asked to', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.putAll({ a: 1 }, { ttlMs: 600_000 })
      await cache.putAll({ b: 2 }, { maxIdleMs: 600_000 })
      await cache.putAll({ c: 3 })
      await look.end(name, ['a', 'b'])
      expect(await cache.getWithTTLOnly('a')).toBeUndefined()
      expect(await cache.getWithTTLOnly('b')).toBe(2)
      expect(await cache.getAllWithTTLOnly(['c', 'b', 'a', 'x'])).toEqual(
        new Map([
          ['c', 3],
          ['b', 2],
        ]),
      )
    })
  })

  it('has no more entries than its limit, of which the last used stay', async () => {
    await withCache<number>(async (cache) => {
      await cache.setMaxSize(2)
      await cache.put('a', 1)
      await cache.put('b', 2, LONG)
      await cache.get('a')
      await cache.put('c', 3)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'c'])
      await cache.containsKey('a')
      await cache.fastPut('d', 4, { maxIdleMs: 600_000 })
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'd'])
      await cache.put('a', 5)
      await cache.put('d', 5, LONG)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'd'])
      await cache.putIfAbsent('e', 6)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['d', 'e'])
      await cache.putAll({ v: 1, w: 2, x: 3, y: 4, z: 5 })
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['y', 'z'])
      await cache.addAndGet('n', 1)
      await cache.compute('o', () => 1)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['n', 'o'])
      await cache.clear()
      await cache.putAll({ v: 1, w: 2, x: 3 })
      expect(await cache.size()).toBe(2)
    })
  })

  it('keeps what is used most often with LFU', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.setMaxSize(3, { mode: 'LFU' })
      await cache.putAll({ a: 1, b: 2, c: 3 })
      for (const key of ['a', 'a', 'c']) await cache.get(key)
      await cache.put('d', 4)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'c', 'd'])
      await cache.get('d')
      await cache.get('d')
      await cache.put('e', 5)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'd', 'e'])
      expect(await look.uses(name)).toEqual({ a: 3, d: 3, e: 1 })
      await cache.setMaxSize(3)
      expect(await look.uses(name)).toEqual({ a: 0, d: 0, e: 0 })
    })
  })

  it('removes what has expired first where it is full', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.setMaxSize(3)
      await cache.putAll({ a: 1 })
      await cache.putAll({ b: 2 }, { ttlMs: 600_000 })
      await cache.putAll({ c: 3 }, { maxIdleMs: 600_000 })
      await look.end(name, ['b', 'c'])
      await cache.put('d', 4)
      expect((await cache.readAllKeySet()).toSorted()).toEqual(['a', 'd'])
    })
  })

  it('removes what is too much as soon as it is limited', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.putAll(texts(MANY), LONG)
      await cache.setMaxSize(100)
      expect(await cache.size()).toBe(100)
      await look.demandSound(name)
      await cache.setMaxSize(0)
      await cache.putAll(texts(200), { maxIdleMs: 600_000 })
      expect(await cache.size()).toBeGreaterThanOrEqual(200)
      expect(await look.uses(name)).toEqual({})
    })
  })

  it('is limited once where it is tried', async () => {
    await withCache<number>(async (cache, name) => {
      expect(await cache.trySetMaxSize(2, { mode: 'LFU' })).toBe(true)
      expect(await cache.trySetMaxSize(1)).toBe(false)
      await cache.putAll({ a: 1, b: 2, c: 3 })
      expect(await cache.size()).toBe(2)
      expect(await look.uses(name)).toEqual({ b: 1, c: 1 })
      await cache.delete()
      expect(await cache.trySetMaxSize(1)).toBe(true)
    })
  })

  it('has room for new entries although Java has noted no use of others', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.putAll(texts(10))
      await look.ask(name, 'HSET', look.optionsOf(name), 'max-size', 4, 'mode', 'LRU')
      await cache.put('new', 1)
      expect(await cache.size()).toBe(4)
      expect(await cache.containsKey('new')).toBe(true)
    })
  })

  it('reads and changes more entries than one request may be about', async () => {
    await withCache<number>(async (cache, name) => {
      const all = texts(MANY)
      await cache.putAll(all, { ttlMs: 600_000, maxIdleMs: 600_000 })
      expect(await cache.size()).toBe(MANY)
      expect(await cache.readAllKeySet()).toHaveLength(MANY)
      expect(new Set(await cache.readAllValues())).toHaveLength(MANY)
      expect(await cache.readAllMap()).toEqual(new Map(all))
      expect(new Map(await allOf(cache))).toEqual(new Map(all))
      expect(await cache.getAll(all.map(([key]) => key))).toEqual(new Map(all))
      expect(await cache.getAllWithTTLOnly(all.map(([key]) => key))).toEqual(new Map(all))
      const [half, others] = [all.slice(0, MANY / 2), all.slice(MANY / 2)]
      expect(
        await cache.expireEntries(
          half.map(([key]) => key),
          {},
        ),
      ).toBe(MANY / 2)
      await look.end(
        name,
        others.map(([key]) => key),
      )
      expect(await cache.readAllMap()).toEqual(new Map(half))
      expect(await cache.size()).toBe(MANY / 2)
      expect(await cache.fastRemove(...half.map(([key]) => key))).toBe(MANY / 2)
      expect(await cache.isExists()).toBe(false)
    })
  })

  it('computes values under the lock of the entry', async () => {
    await withCache<number>(async (cache, name) => {
      const life = { ttlMs: 60_000 }
      expect(await cache.compute('a', (_, value = 0) => value + 1, life)).toBe(1)
      await look.expectEnds(name, 'a', life)
      await Promise.all(
        Array.from({ length: 5 }, () => cache.compute('a', (_, value = 0) => value + 1, { waitMs: 60_000 })),
      )
      expect(await cache.get('a')).toBe(6)
      await look.expectEnds(name, 'a', {})
      expect(await cache.computeIfAbsent('a', () => 9)).toBe(6)
      expect(await cache.computeIfPresent('a', (_, value) => value + 1)).toBe(7)
      expect(await cache.merge('a', 3, (before, value) => before + value)).toBe(10)
      expect(await cache.compute('a', () => undefined)).toBeUndefined()
      expect(await cache.isExists()).toBe(false)
      expect(cache.getLock('a').name).toBe(clients.mine.getMap(name).getLock('a').name)
    })
  })

  it('is renamed and copied with the ends of its entries and its limit', async () => {
    const [from, to] = ['{cache}:from', '{cache}:to']
    const cache = clients.mine.getMapCache<string, number>(from)
    const other = clients.mine.getMapCache<string, number>(to)
    await cache.setMaxSize(2)
    await cache.put('a', 1, { ttlMs: 60_000, maxIdleMs: 30_000 })
    expect(await cache.copy(to)).toBe(true)
    await look.expectEnds(to, 'a', { ttlMs: 60_000, maxIdleMs: 30_000 })
    await other.putAll({ b: 2, c: 3 })
    expect(await other.size()).toBe(2)
    await other.delete()
    await cache.rename(to)
    await look.expectEnds(to, 'a', { ttlMs: 60_000, maxIdleMs: 30_000 })
    expect(await look.keys(from)).toEqual([])
    expect(await other.trySetMaxSize(1)).toBe(false)
    await other.delete()
    expect(await look.keys(to)).toEqual([])
  })

  it('expires as a whole, with what is added later', async () => {
    await withCache<number>(async (cache, name) => {
      await cache.put('a', 1)
      expect(await cache.expire(600_000)).toBe(true)
      await cache.setMaxSize(5)
      await cache.put('b', 1, { ttlMs: 60_000, maxIdleMs: 60_000 })
      const left = await look.timesLeft(name)
      expect(left).toHaveLength(5)
      for (const ms of left) {
        expect(ms).toBeGreaterThan(500_000)
        expect(ms).toBeLessThanOrEqual(600_000)
      }
      expect(await cache.clearExpire()).toBe(true)
      expect(await look.timesLeft(name)).toEqual([-1, -1, -1, -1, -1])
    })
  })

  it('adds to numbers', async () => {
    await withCache<number>(
      async (cache) => {
        expect(await cache.addAndGet('n', 5)).toBe(5)
        expect(await cache.addAndGet('n', -7)).toBe(-2)
        expect(await cache.get('n')).toBe(-2)
        await cache.clear()
      },
      { codec: longCodec() },
    )
    await withCache(async (cache, name) => {
      await cache.put('text', 'a')
      await expect(cache.addAndGet('text', 1)).rejects.toThrow(/float/)
      expect(await cache.get('text')).toBe('a')
      expect(await look.fields(name)).toEqual(['text'])
    })
  })

  it('walks through keys that match a pattern', async () => {
    await withCache<number>(async (cache) => {
      await cache.putAll({ a1: 1, a2: 2, b1: 3 })
      expect((await allOf(cache.keys({ pattern: 'a*' }))).toSorted()).toEqual(['a1', 'a2'])
      expect((await allOf(cache.values({ pattern: '*1', count: 1 }))).toSorted()).toEqual([1, 3])
      expect(await allOf(cache.entries({ pattern: 'b*' }))).toEqual([['b1', 3]])
    })
  })

  it('works in a batch, as far as one request goes', async () => {
    await withCache<number>(async (cache, name) => {
      const results = await clients.mine.batch((batch) => {
        const own = batch.getMapCache<string, number>(name)
        return [
          own.put('a', 1, LONG),
          own.fastPut('b', 2),
          own.putIfAbsent('a', 3),
          own.getAll(['a', 'b']),
          own.size(),
          own.remainTimeToLive('b'),
          own.addAndGet('b', 1),
          own.readAllKeySet(),
          own.remove('a'),
        ]
      })
      expect(results).toEqual([
        undefined,
        true,
        1,
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
        2,
        -1,
        3,
        ['a', 'b'],
        1,
      ])
      await expect(clients.mine.batch((batch) => [batch.getMapCache(name).setMaxSize(2)])).rejects.toThrow(
        NotInBatchError,
      )
      expect(await cache.size()).toBe(1)
    })
  })

  it('refuses what belongs to another kind of object, and leaves it as it is', async () => {
    const name = `cache-${topology.kind}-other`
    const bucket = clients.mine.getBucket<string>(name)
    await bucket.set('text')
    const cache = clients.mine.getMapCache(name)
    for (const call of [
      () => cache.get('a'),
      () => cache.put('a', 1),
      () => cache.size(),
      () => cache.clear(),
      () => cache.setMaxSize(1),
      () => cache.expireEntry('a', LONG),
      () => cache.remove('a'),
      () => cache.delete(),
    ])
      await expect(call()).rejects.toThrow(WrongTypeError)
    expect(await bucket.get()).toBe('text')
    await bucket.delete()
    expect(await look.keys(name)).toEqual([])
  })

  it.each(['v', 'a text that is longer than what comes before a value'])(
    'refuses an entry of a map that is no record: %j',
    async (value) => {
      const name = `cache-of-map-${topology.kind}`
      const map = clients.mine.getMap<string, string>(name, { codec: stringCodec() })
      await map.put('k', value)
      const cache = clients.mine.getMapCache<string, string>(name, { codec: stringCodec() })
      for (const call of [
        () => cache.get('k'),
        () => cache.getAll(['k']),
        () => cache.getWithTTLOnly('k'),
        () => cache.containsKey('k'),
        () => cache.containsValue('v'),
        () => cache.put('k', 'w'),
        () => cache.replace('k', 'w'),
        () => cache.remove('k'),
        () => cache.expireEntry('k', LONG),
        () => cache.remainTimeToLive('k'),
        () => cache.getWithLease('k', 1_000),
        () => allOf(cache.entries()),
        () => cache.randomEntries(1),
      ])
        await expect(call(), String(call)).rejects.toThrow(WrongTypeError)
      expect(await map.readAllMap()).toEqual(new Map([['k', value]]))
      await map.delete()
    },
  )

  it('refuses wrong arguments before anything is sent', async () => {
    await withCache(async (cache, name) => {
      for (const call of [
        () => cache.put('a', undefined),
        () => cache.put(undefined as never, 1),
        () => cache.put('a', 1, 5 as never),
        () => cache.put('a', 1, { ttl: 5 } as never),
        () => (cache as unknown as Untyped).put('a', 1, LONG, 1),
        () => cache.compute('a', () => 1, { leaseMs: 1 } as never),
        () => cache.setMaxSize(1, { mode: 'FIFO' } as never),
        () => cache.addListener('created' as never, () => undefined),
        () => cache.addListener('entryCreated', 5 as never),
        () => (cache as unknown as RDumpable).dump(),
      ] as (() => Promise<unknown>)[])
        await expect(call()).rejects.toThrow(/Expected/)
      for (const call of [
        () => cache.put('a', 1, { ttlMs: -1 }),
        () => cache.put('a', 1, { maxIdleMs: NaN }),
        () => cache.setMaxSize(-1),
        () => cache.setMaxSize(0.5),
        () => cache.randomKeys(5_001),
        () => cache.compute('a', () => 1, { maxIdleMs: -1 }),
      ])
        await expect(call()).rejects.toThrow(RangeError)
      expect(await look.keys(name)).toEqual([])
    })
  })

  it('has keys of any codec', async () => {
    const name = `cache-${topology.kind}-numbers`
    const cache = clients.mine.getMapCache<number, string>(name, {
      codec: { key: longCodec(), value: stringCodec() },
    })
    await cache.put(7, 'seven', LONG)
    expect(await cache.readAllMap()).toEqual(new Map([[7, 'seven']]))
    expect(await cache.remainTimeToLive(7)).toBeGreaterThan(0)
    await cache.delete()
  })
})
