import { describe, expect, it } from 'vitest'
import type { RListMultimapCache, RSetMultimapCache } from '../../../src/index.js'
import { multimapEnds, multimapValues } from '../../../src/core/context/names.js'
import { highwayHashName } from '../../../src/util/hash/highway-hash.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { sorted } from '../multimap/kinds.js'
import { cacheKinds } from './kinds.js'

type AnyCache = RSetMultimapCache<string, unknown> | RListMultimapCache<string, unknown>

/** As a program without types calls. */
interface Untyped {
  expireKey(...args: readonly unknown[]): Promise<unknown>
}

const LONG_MS = 600_000

/** How far a measured time may be off. */
const TOLERANCE_MS = 20_000

describe.each(slottedTopologies)('multimap caches ($kind)', (topology) => {
  describe.each(cacheKinds)('with a $what of values for each key', ({ what, of }) => {
    noLeaks(topology)
    const clients = twoClients(topology)
    let names = 0

    const ask = (key: string, command: string, ...args: (string | number)[]) =>
      askOwner(topology, key, command, ...args)

    const nextName = () => `${what}-mm-cache-${topology.kind}-${String(names++)}`

    const endsOf = (name: string) => multimapEnds(name, what)

    /** Has keys end. */
    const end = async (name: string, ...keys: string[]) => {
      for (let at = 0; at < keys.length; at += 1_000)
        await ask(endsOf(name), 'ZADD', 'XX', ...keys.slice(at, at + 1_000).flatMap((key) => [1, key]))
    }

    /** A cache that is removed after the test. */
    const withCache = async (
      use: (cache: AnyCache, name: string) => Promise<void>,
      name = nextName(),
    ): Promise<void> => {
      const cache = of(clients.mine, name)
      try {
        await use(cache, name)
      } finally {
        await cache.delete()
      }
      expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
    }

    /** A cache with these keys, all of which end; each has the values 1 and 2. */
    const fill = async (cache: AnyCache, ...keys: string[]) => {
      for (const key of keys) {
        await cache.putAll(key, [1, 2])
        expect(await cache.expireKey(key, LONG_MS)).toBe(true)
      }
    }

    it('has keys that end with their values, after their time to live', async () => {
      await withCache(async (cache, name) => {
        await cache.putAll('a', [1, 2])
        await cache.putAll('b', [1])
        expect(await cache.expireKey('a', 150)).toBe(true)
        expect(await cache.expireKey('none', 150)).toBe(false)
        expect(sorted(await cache.getAll('a'))).toEqual(['1', '2'])
        await eventually(async () => {
          expect(await of(clients.other, name).getAll('a')).toEqual([])
        })
        expect(await allOf(cache)).toEqual([['b', 1]])
        expect(await ask(multimapValues(name, highwayHashName(Buffer.from('a'))), 'EXISTS')).toBe(0)
      })
    })

    it('sets when a key ends: later, earlier or never', async () => {
      await withCache(async (cache, name) => {
        const left = async () => Number(await ask(endsOf(name), 'ZSCORE', 'a')) - Date.now()
        await fill(cache, 'a')
        expect(Math.abs((await left()) - LONG_MS)).toBeLessThan(TOLERANCE_MS)
        await cache.expireKey('a', 2 * LONG_MS)
        expect(Math.abs((await left()) - 2 * LONG_MS)).toBeLessThan(TOLERANCE_MS)
        expect(await cache.put('a', 3)).toBe(true)
        expect(await ask(endsOf(name), 'ZCARD')).toBe(1) // values that are put later end with it
        expect(await cache.expireKey('a', 0)).toBe(true)
        expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
        expect(await cache.containsKey('a')).toBe(true)
      })
    })

    const reads: Readonly<Record<string, readonly [(cache: AnyCache) => Promise<unknown>, unknown]>> = {
      getAll: [(cache) => cache.getAll('a'), []],
      'size of the values': [(cache) => cache.get('a').size(), 0],
      'isExists of the values': [(cache) => cache.get('a').isExists(), false],
      'contains of the values': [(cache) => cache.get('a').contains(1), false],
      'a walk through the values': [(cache) => allOf(cache.get('a')), []],
      containsKey: [(cache) => cache.containsKey('a'), false],
      containsEntry: [(cache) => cache.containsEntry('a', 1), false],
      containsValue: [(cache) => cache.containsValue('only a'), false],
      size: [(cache) => cache.size(), 2],
      keySize: [(cache) => cache.keySize(), 1],
      readAllKeySet: [(cache) => cache.readAllKeySet(), ['b']],
      keys: [(cache) => allOf(cache.keys()), ['b']],
      values: [(cache) => allOf(cache.values()), [1, 2]],
      entries: [
        (cache) => allOf(cache.entries()),
        [
          ['b', 1],
          ['b', 2],
        ],
      ],
      removeAll: [(cache) => cache.removeAll('a'), []],
      remove: [(cache) => cache.remove('a', 1), false],
      replaceValues: [(cache) => cache.replaceValues('a', [5]), []],
      fastRemove: [(cache) => cache.fastRemove('a'), 0],
      fastRemoveValue: [(cache) => cache.fastRemoveValue('only a'), 0],
      'put, which begins anew': [
        (cache) => cache.put('a', 'only a').then(() => cache.get('a').readAll()),
        ['only a'],
      ],
      expireKey: [(cache) => cache.expireKey('a', LONG_MS), false],
    }

    it.each(Object.entries(reads))('has nothing of a key that has ended: %s', async (_, [call, expected]) => {
      await withCache(async (cache, name) => {
        await fill(cache, 'a', 'b')
        await cache.put('a', 'only a')
        await end(name, 'a')
        expect(await call(cache)).toEqual(expected)
        expect(await ask(endsOf(name), 'ZRANGE', 0, -1)).toEqual(['b'])
      })
    })

    it('is not there when all of its keys have ended', async () => {
      await withCache(async (cache, name) => {
        await fill(cache, 'a', 'b')
        await end(name, 'a', 'b')
        expect(await cache.isExists()).toBe(false)
        await fill(cache, 'a')
        await end(name, 'a')
        expect(await cache.delete()).toBe(false)
        expect(await cache.isEmpty()).toBe(true)
      })
    })

    it('has no end of a key that is removed, in any way, and none of a key that is put anew', async () => {
      await withCache(async (cache, name) => {
        const removals: readonly ((cache: AnyCache) => Promise<unknown>)[] = [
          () => cache.removeAll('a'),
          () => cache.fastRemove('a'),
          () => cache.fastRemoveValue(1, 2),
          () => cache.replaceValues('a', []),
          () => cache.get('a').delete(),
          () => cache.get('a').removeAll([1, 2]),
          () => cache.clear(),
        ]
        for (const remove of removals) {
          await fill(cache, 'a')
          await remove(cache)
          expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
        }
        await ask(endsOf(name), 'ZADD', Date.now() + LONG_MS, 'a') // as Java leaves it
        await cache.put('a', 1)
        expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
      })
    })

    it('removes many keys that have ended by several requests', async () => {
      await withCache(async (cache, name) => {
        const keys = Array.from({ length: 2_500 }, (_, place) => `k${String(place)}`)
        for (let at = 0; at < keys.length; at += 500)
          await Promise.all(keys.slice(at, at + 500).map((key) => cache.put(key, 1)))
        await Promise.all(keys.map((key) => cache.expireKey(key, LONG_MS)))
        await cache.put('stays', 1)
        await end(name, ...keys)
        await expect(clients.mine.batch((batch) => [of(batch, name).keySize()])).rejects.toMatchObject({
          code: 'BATCH',
          cause: { code: 'NOT_IN_BATCH' },
        })
        expect(await cache.keySize()).toBe(1)
        expect(await allOf(cache)).toEqual([['stays', 1]])
        expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
      })
    })

    it('keeps the ends of keys when it is renamed or copied, and expires with them', async () => {
      const tag = `{${nextName()}}`
      const [name, next, copied] = [`${tag}:a`, `${tag}:b`, `${tag}:c`] as const
      const cache = of(clients.mine, name)
      await fill(cache, 'a', 'b')
      await cache.rename(next)
      expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
      expect(await of(clients.mine, next).copy(copied)).toBe(true)
      for (const each of [next, copied]) {
        await end(each, 'a')
        expect(await of(clients.mine, each).readAllKeySet()).toEqual(['b'])
      }
      const again = of(clients.mine, next)
      await again.expire(LONG_MS)
      expect(Number(await ask(endsOf(next), 'PTTL'))).toBeGreaterThan(0)
      await again.expireKey('b', 0)
      await again.expireKey('b', LONG_MS)
      expect(Number(await ask(endsOf(next), 'PTTL'))).toBeGreaterThan(0)
      expect(await again.clearExpire()).toBe(true)
      expect(await ask(endsOf(next), 'PTTL')).toBe(-1)
      await clients.mine.getKeys().delete(`${tag}:none`)
      await again.delete()
      await of(clients.mine, copied).delete()
      for (const each of [next, copied]) expect(await ask(endsOf(each), 'EXISTS')).toBe(0)
    })

    it('does in a batch what it does elsewhere', async () => {
      await withCache(async (cache, name) => {
        await fill(cache, 'over')
        await end(name, 'over')
        const results = await clients.mine.batch((batch) => {
          const batched = of(batch, name)
          return [
            batched.put('a', 1),
            batched.expireKey('a', LONG_MS),
            batched.getAll('over'),
            batched.keySize(),
            batched.fastRemove('a'),
          ]
        })
        expect(results).toEqual([true, true, [], 1, 1])
      })
    })

    it('refuses times that are wrong, and changes nothing', async () => {
      await withCache(async (cache, name) => {
        await cache.put('a', 1)
        const untyped = cache as unknown as Untyped
        await expect(cache.expireKey('a', -1)).rejects.toThrow(RangeError)
        await expect(cache.expireKey('a', NaN)).rejects.toThrow(RangeError)
        await expect(untyped.expireKey('a')).rejects.toThrow(RangeError)
        await expect(untyped.expireKey('a', 5, 'SECONDS')).rejects.toThrow(TypeError)
        await expect(untyped.expireKey(undefined, 5)).rejects.toThrow(TypeError)
        expect(await ask(endsOf(name), 'EXISTS')).toBe(0)
      })
    })

    it('leaves hashes of another kind alone', async () => {
      const name = nextName()
      await clients.mine.getMap(name).put('a', 'not a hash of a key')
      await ask(endsOf(name), 'ZADD', 1, 'a')
      const cache = of(clients.mine, name)
      for (const call of [() => cache.expireKey('a', LONG_MS), () => cache.put('a', 1), () => cache.size()])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await clients.mine.getMap(name).get('a')).toBe('not a hash of a key')
      await clients.mine.getMap(name).delete()
      await clients.mine.getBucket(name).set('text')
      await expect(cache.expireKey('a', LONG_MS)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await clients.mine.getBucket(name).delete()
    })
  })
})
