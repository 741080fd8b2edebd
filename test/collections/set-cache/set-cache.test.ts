import { describe, expect, it } from 'vitest'
import { longCodec, stringCodec, type RSetCache, type ValueOptions } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { eventually } from '../../support/eventually.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { SetCacheLook } from './set-cache-look.js'

/** As a program without types calls. */
interface Untyped {
  add(...args: readonly unknown[]): Promise<unknown>
  addAll(...args: readonly unknown[]): Promise<unknown>
}

/** More than one request may be about. */
const MANY = 12_000

const LONG_MS = 600_000
const LONG = { ttlMs: LONG_MS }

/** How far a measured time may be off. */
const TOLERANCE_MS = 20_000

const sorted = (values: readonly unknown[]) => values.map(String).toSorted()

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

describe.each(slottedTopologies)('a set cache ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new SetCacheLook(topology)
  let names = 0

  const nextName = () => `values-${topology.kind}-${String(names++)}`

  /** A cache that is removed after the test. */
  const withCache = async <V = unknown>(
    use: (cache: RSetCache<V>, name: string) => Promise<void>,
    options?: ValueOptions<V>,
    name = nextName(),
  ) => {
    const cache = clients.mine.getSetCache<V>(name, options)
    try {
      await use(cache, name)
    } finally {
      await cache.delete()
    }
    await look.forgetCleaning(name)
  }

  const expectEnd = async (name: string, value: unknown, ms: number) => {
    const left = (await look.timeLeft(name, value)) ?? NaN
    if (ms === Infinity) expect(left).toBe(Infinity)
    else expect(Math.abs(left - ms)).toBeLessThan(TOLERANCE_MS)
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withCache(async (cache, name) => {
      expect(await cache.isExists()).toBe(false)
      expect(await cache.contains({ name: 'Ada' })).toBe(false)
      expect(await cache.add({ name: 'Ada' }, LONG)).toBe(true)
      expect(await clients.other.getSetCache(name).readAll()).toEqual([{ name: 'Ada' }])
      expect(await cache.add({ name: 'Ada' })).toBe(false)
      expect(await cache.isExists()).toBe(true)
    })
  })

  it('has nothing where it is not there', async () => {
    await withCache(async (cache) => {
      expect(await cache.size()).toBe(0)
      expect(await cache.isEmpty()).toBe(true)
      expect(await cache.containsEach(['a', 'b'])).toEqual([false, false])
      expect(await cache.containsEach([])).toEqual([])
      expect(await cache.containsAll([])).toBe(true)
      expect(await cache.remove('a')).toBe(false)
      expect(await cache.removeAll([])).toBe(false)
      expect(await cache.removeAllCounted(['a', 'b'])).toBe(0)
      expect(await cache.retainAll(['a'])).toBe(false)
      expect(await cache.retainAll([])).toBe(false)
      expect(await cache.addAll([])).toBe(false)
      expect(await cache.addAllCounted([])).toBe(0)
      expect(await cache.addIfExists('a')).toBe(false)
      expect(await cache.addIfLess('a')).toBe(false)
      expect(await cache.addIfGreater('a', LONG)).toBe(false)
      expect(await cache.addAllIfExist(['a'])).toBe(0)
      expect(await cache.tryAdd()).toBe(true)
      expect(await cache.tryAddAll([])).toBe(true)
      expect(await cache.random()).toBeUndefined()
      expect(await cache.random(3)).toEqual([])
      expect(await cache.readAll()).toEqual([])
      expect(await cache.readUnion([])).toEqual([])
      expect(await cache.readDiff([])).toEqual([])
      expect(await cache.readIntersection([])).toEqual([])
      expect(await allOf(cache)).toEqual([])
      await cache.clear()
      expect(await cache.isExists()).toBe(false)
    })
  })

  it('has values end after their time to live', async () => {
    await withCache(async (cache, name) => {
      await cache.add('a', { ttlMs: 150 })
      await cache.add('b')
      await cache.add('c', LONG)
      expect(await cache.contains('a')).toBe(true)
      await eventually(async () => {
        expect(await cache.contains('a')).toBe(false)
      })
      expect(sorted(await cache.readAll())).toEqual(['b', 'c'])
      expect(await look.members(name)).toEqual(['a', 'b', 'c'])
    })
  })

  it('sets when values end: as given, or never', async () => {
    await withCache(async (cache, name) => {
      await cache.add('a', LONG)
      await expectEnd(name, 'a', LONG_MS)
      expect(await cache.add('a', { ttlMs: 2 * LONG_MS })).toBe(false)
      await expectEnd(name, 'a', 2 * LONG_MS)
      expect(await cache.add('a', { ttlMs: 0 })).toBe(false)
      await expectEnd(name, 'a', Infinity)
      await cache.addAll(['a', 'b', 'c'], { ttlMs: (value) => (value === 'b' ? 0 : LONG_MS) })
      await expectEnd(name, 'a', LONG_MS)
      await expectEnd(name, 'b', Infinity)
      await expectEnd(name, 'c', LONG_MS)
      await cache.addAll(['a'])
      await expectEnd(name, 'a', Infinity)
      await cache.tryAddAll(['d', 'e'], LONG)
      await expectEnd(name, 'e', LONG_MS)
      await cache.tryAdd('f')
      await expectEnd(name, 'f', Infinity)
      await cache.add('g', { ttlMs: 8e15 }) // the longest there is
      expect(await cache.contains('g')).toBe(true)
      expect(await cache.addIfLess('g', LONG)).toBe(true)
      await expectEnd(name, 'g', LONG_MS)
    })
  })

  it('takes what has ended for absent, in all that adds or removes', async () => {
    await withCache(async (cache, name) => {
      const ended = async (...values: string[]) => {
        await cache.addAll(values, LONG)
        await look.end(name, values)
      }
      await ended('a', 'b', 'c')
      expect(await cache.remove('a')).toBe(false)
      expect(await cache.removeAll(['a', 'b'])).toBe(false)
      expect(await cache.removeAllCounted(['a', 'b', 'c'])).toBe(0)
      expect(await cache.addIfExists('a', LONG)).toBe(false)
      expect(await cache.addIfGreater('a', LONG)).toBe(false)
      expect(await cache.addIfLess('a', LONG)).toBe(false)
      expect(await cache.addAllIfExist(['a', 'b'])).toBe(0)
      expect(await cache.isExists()).toBe(false)
      expect(await cache.add('a', LONG)).toBe(true)
      expect(await cache.addIfAbsent('b')).toBe(true)
      expect(await cache.addAllIfAbsent(['a', 'b', 'c'])).toBe(1)
      await ended('a', 'b')
      expect(await cache.tryAdd('a', 'c')).toBe(false)
      expect(await cache.tryAdd('a', 'b')).toBe(true)
      await ended('a', 'b', 'c')
      expect(await cache.addAll(['a'])).toBe(true)
      expect(await cache.addAllCounted(['a', 'b', 'c', 'c'])).toBe(2)
      await ended('a')
      expect(await cache.retainAll(['a', 'b', 'c'])).toBe(false)
      expect(await cache.retainAll(['a', 'b'])).toBe(true)
      expect(await cache.readAll()).toEqual(['b'])
      expect(await cache.retainAll([])).toBe(true)
      await ended('a')
      expect(await cache.retainAll([])).toBe(false)
    })
  })

  it('hides what has ended from all that reads, before anything is cleaned', async () => {
    const tag = `{${nextName()}}`
    await withCache(
      async (cache, name) => {
        const other = clients.mine.getSetCache(`${tag}:other`)
        await cache.addAll(['a', 'b', 'c'], LONG)
        await other.addAll(['b', 'c', 'd'], LONG)
        const endAgain = async () => {
          await look.ask(name, 'ZADD', name, 1, '"b"')
          await look.ask(name, 'ZADD', other.name, 1, '"c"')
        }
        const all = ['a', 'b', 'c']
        await endAgain()
        expect(await cache.contains('b')).toBe(false)
        expect(await cache.containsEach(all)).toEqual([true, false, true])
        expect(await cache.containsAll(all)).toBe(false)
        expect(await cache.size()).toBe(2)
        expect(sorted(await cache.readAll())).toEqual(['a', 'c'])
        expect(sorted(await allOf(cache))).toEqual(['a', 'c'])
        expect(sorted(await allOf(cache.distributedIterator({ iteratorName: `${tag}:at` })))).toEqual([
          'a',
          'c',
        ])
        await clients.mine.getKeys().delete(`${tag}:at`)
        expect(await look.members(name)).toEqual(all) // nothing of that has removed it
        expect(sorted(await cache.random(9))).toEqual(['a', 'c'])
        expect(await look.members(name)).toEqual(['a', 'c'])
        await endAgain()
        expect(sorted(await cache.readUnion([other.name]))).toEqual(['a', 'b', 'c', 'd'])
        await endAgain()
        expect(sorted(await cache.readDiff([other.name]))).toEqual(['a', 'c'])
        await endAgain()
        expect(await cache.readIntersection([other.name])).toEqual([])
        await endAgain()
        expect(await cache.countIntersection([other.name])).toBe(0)
        await other.delete()
      },
      {},
      `${tag}:one`,
    )
  })

  it('sets an end only where a condition is met', async () => {
    await withCache(async (cache, name) => {
      await cache.addAll(['soon', 'late', 'never'], {
        ttlMs: (value) => ({ soon: LONG_MS, late: 3 * LONG_MS, never: 0 })[value as 'soon'],
      })
      const middle = { ttlMs: 2 * LONG_MS }
      expect(await cache.addIfAbsent('soon', middle)).toBe(false)
      expect(await cache.addIfAbsent('new', middle)).toBe(true)
      await expectEnd(name, 'new', 2 * LONG_MS)
      expect(await cache.addIfLess('soon', middle)).toBe(false)
      expect(await cache.addIfGreater('late', middle)).toBe(false)
      expect(await cache.addIfGreater('never', middle)).toBe(false)
      expect(await cache.addIfGreater('never')).toBe(false)
      expect(await cache.addIfLess('never')).toBe(false)
      expect(await cache.addIfLess('late', { ttlMs: 0 })).toBe(false)
      await expectEnd(name, 'soon', LONG_MS)
      await expectEnd(name, 'late', 3 * LONG_MS)
      await expectEnd(name, 'never', Infinity)
      expect(await cache.addIfGreater('soon', middle)).toBe(true)
      expect(await cache.addIfLess('late', middle)).toBe(true)
      expect(await cache.addIfLess('never', middle)).toBe(true)
      for (const value of ['soon', 'late', 'never']) await expectEnd(name, value, 2 * LONG_MS)
      expect(await cache.addIfGreater('soon')).toBe(true)
      await expectEnd(name, 'soon', Infinity)
      expect(await cache.addIfExists('soon', LONG)).toBe(true)
      await expectEnd(name, 'soon', LONG_MS)
    })
  })

  it('does so for many values, and counts them', async () => {
    await withCache(async (cache, name) => {
      await cache.addAll(['a', 'b'], LONG)
      await cache.add('c')
      const all = ['a', 'b', 'c', 'd']
      expect(await cache.addAllIfExist(all, { ttlMs: 2 * LONG_MS })).toBe(3)
      expect(await cache.addAllIfAbsent(all, LONG)).toBe(1)
      expect(await cache.addAllIfLess(all, { ttlMs: 1.5 * LONG_MS })).toBe(3)
      expect(await cache.addAllIfGreater(all, { ttlMs: 1.2 * LONG_MS })).toBe(1)
      await expectEnd(name, 'a', 1.5 * LONG_MS)
      await expectEnd(name, 'd', 1.2 * LONG_MS)
      expect(await cache.addAllCounted(['a', 'e', 'e'], { ttlMs: () => LONG_MS })).toBe(1)
      await expectEnd(name, 'e', LONG_MS)
    })
  })

  it('adds all values, or none if one of them is there', async () => {
    await withCache(async (cache) => {
      expect(await cache.tryAddAll(['a', 'b', 'b'], LONG)).toBe(true)
      expect(await cache.tryAddAll(new Set(['c', 'b']), LONG)).toBe(false)
      expect(sorted(await cache.readAll())).toEqual(['a', 'b'])
      await expect(cache.tryAddAll(numbers(5_001))).rejects.toThrow(RangeError)
    })
  })

  it('returns random values, each of them at some time', async () => {
    await withCache(async (cache) => {
      await cache.addAll(['a', 'b', 'c'])
      const seen = new Set<unknown>()
      for (let times = 0; times < 200; times += 1) seen.add(await cache.random())
      expect(sorted([...seen])).toEqual(['a', 'b', 'c'])
      expect(new Set(await cache.random(2)).size).toBe(2)
      expect(await cache.random(0)).toEqual([])
      await expect(cache.random(-1)).rejects.toThrow(RangeError)
    })
  })

  it('combines sets with the ends of their values', async () => {
    const tag = `{${nextName()}}`
    await withCache(
      async (cache, name) => {
        const [one, two] = [`${tag}:1`, `${tag}:2`] as const
        const fill = async () => {
          await clients.mine.getSetCache(one).addAll(['a', 'b', 'c', 'over', 'late'], LONG)
          await clients.mine.getSetCache(two).addAll(['b', 'd', 'over', 'c'], { ttlMs: 2 * LONG_MS })
          await clients.mine.getSetCache(two).add('c')
          await look.ask(name, 'ZADD', one, 1, '"over"')
          await look.ask(name, 'ZADD', two, 1, '"late"')
        }
        await fill()
        await cache.add('before')
        await cache.expire(LONG_MS)
        expect(await cache.union([one, two])).toBe(6)
        expect(sorted(await cache.readAll())).toEqual(['a', 'b', 'c', 'd', 'late', 'over'])
        expect(await cache.remainTimeToLive()).toBe(-1)
        await expectEnd(name, 'a', LONG_MS)
        await expectEnd(name, 'b', 2 * LONG_MS)
        await expectEnd(name, 'c', Infinity)
        await expectEnd(name, 'over', 2 * LONG_MS)
        await fill()
        expect(await cache.intersection([one, two])).toBe(2)
        expect(sorted(await cache.readAll())).toEqual(['b', 'c'])
        await expectEnd(name, 'b', LONG_MS)
        await expectEnd(name, 'c', LONG_MS)
        await fill()
        expect(await cache.diff([one, two])).toBe(2)
        expect(sorted(await cache.readAll())).toEqual(['a', 'late'])
        await expectEnd(name, 'late', LONG_MS)
        expect(await cache.union([name])).toBe(2)
        expect(await cache.intersection([`${tag}:none`, one])).toBe(0)
        expect(await cache.isExists()).toBe(false)
        await expect(cache.union([])).rejects.toThrow(RangeError)
        await expect(cache.readUnion(numbers(1_001).map((n) => `${tag}:${String(n)}`))).rejects.toThrow(
          RangeError,
        )
        await clients.mine.getSetCache(one).delete()
        await clients.mine.getSet(one).add('plain')
        await expect(cache.union([one])).rejects.toMatchObject({ code: 'WRONG_TYPE' })
        await clients.mine.getKeys().delete(one, two)
      },
      {},
      `${tag}:combined`,
    )
  })

  it('handles many values by requests of some thousands', async () => {
    await withCache<number>(async (cache, name) => {
      const all = numbers(MANY)
      expect(await cache.addAllCounted(all, LONG)).toBe(MANY)
      expect(await cache.containsAll(all)).toBe(true)
      await look.end(name, all.slice(0, 7_000))
      expect(await cache.size()).toBe(5_000)
      expect((await cache.readAll()).toSorted((a, b) => a - b)).toEqual(all.slice(7_000))
      await cache.addAll(all.slice(0, 1_000))
      expect(new Set(await cache.readAll())).toEqual(new Set([...all.slice(0, 1_000), ...all.slice(7_000)]))
      expect((await allOf(cache)).length).toBeGreaterThanOrEqual(6_000)
      expect(await cache.random(1)).toHaveLength(1) // removes 6 000, 1 000 at a time
      expect(await look.ask(name, 'ZCARD', name)).toBe(6_000)
      expect(await cache.retainAll(all.slice(8_000))).toBe(true)
      expect(await cache.size()).toBe(4_000)
      expect(await cache.removeAllCounted(all)).toBe(4_000)
    })
  })

  it('may be made of values that a codec writes', async () => {
    await withCache<number>(
      async (cache, name) => {
        await cache.addAll([1, 2], LONG)
        expect(await look.members(name)).toEqual([1, 2])
      },
      { codec: longCodec() },
    )
    await withCache<string>(
      async (cache) => {
        await cache.add('plain', LONG)
        expect(await cache.contains('plain')).toBe(true)
      },
      { codec: stringCodec() },
    )
  })

  it('refuses times and options that are wrong, and changes nothing', async () => {
    await withCache(async (cache, name) => {
      const untyped = cache as unknown as Untyped
      await expect(cache.add('a', { ttlMs: -1 })).rejects.toThrow(RangeError)
      await expect(cache.add('a', { ttlMs: NaN })).rejects.toThrow(RangeError)
      await expect(cache.add('a', { ttlMs: 9e15 })).rejects.toThrow(RangeError)
      await expect(cache.addAll(['a'], { ttlMs: () => -1 })).rejects.toThrow(RangeError)
      await expect(cache.addAll(['a'], { ttlMs: () => 'x' as never })).rejects.toThrow(RangeError)
      await expect(untyped.add('a', 1_000)).rejects.toThrow(TypeError)
      await expect(untyped.add('a', { ttl: 1 })).rejects.toThrow(TypeError)
      await expect(untyped.add('a', { ttlMs: () => 1 })).rejects.toThrow(RangeError)
      await expect(untyped.add('a', LONG, 'SECONDS')).rejects.toThrow(TypeError)
      await expect(untyped.addAll('abc', LONG)).rejects.toThrow(TypeError)
      await expect(untyped.addAll(['a', undefined])).rejects.toThrow(TypeError)
      expect(await look.ask(name, 'EXISTS', name)).toBe(0)
    })
  })

  it('expires, is renamed and copied as a whole', async () => {
    const tag = `{${nextName()}}`
    const [name, next] = [`${tag}:a`, `${tag}:b`] as const
    const cache = clients.mine.getSetCache(name)
    await cache.add('a', LONG)
    expect(await cache.copy(next)).toBe(true)
    await expectEnd(next, 'a', LONG_MS)
    expect(await cache.expire(LONG_MS)).toBe(true)
    expect(await cache.remainTimeToLive()).toBeGreaterThan(0)
    const state = await cache.dump()
    await cache.delete()
    await cache.restore(state as Uint8Array)
    expect(await cache.readAll()).toEqual(['a'])
    await clients.mine.getKeys().delete(name, next)
    await look.forgetCleaning(name)
    await look.forgetCleaning(next)
  })

  it('emits values that have expired, once they are removed', async () => {
    await withCache(async (cache, name) => {
      const heard: unknown[] = []
      const subscription = await cache.addListener('valueExpired', (event) => heard.push(event))
      await cache.addAll(['a', { b: 1 }, 'c'], LONG)
      await look.end(name, ['a', { b: 1 }])
      expect(await cache.random(9)).toEqual(['c'])
      await eventually(() => {
        expect(heard).toHaveLength(2)
      })
      expect(heard).toContainEqual({ type: 'valueExpired', value: { b: 1 } })
      await cache.remove('c')
      await subscription.unsubscribe()
    })
  })

  it('says that a name belongs to another object', async () => {
    const name = nextName()
    await clients.mine.getSet(name).add('a')
    const cache = clients.mine.getSetCache(name)
    for (const call of [
      () => cache.add('a'),
      () => cache.contains('a'),
      () => cache.remove('a'),
      () => cache.size(),
      () => cache.readAll(),
      () => cache.random(),
      () => cache.union([name]),
      () => cache.retainAll(['b']),
      () => cache.addListener('valueExpired', () => undefined),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await clients.mine.getSet(name).delete()
  })

  it('does in a batch all that is one request', async () => {
    const name = nextName()
    const results = await clients.mine.batch((batch) => {
      const cache = batch.getSetCache<string>(name)
      return [
        cache.addAllCounted(['a', 'b'], LONG),
        cache.add('a'),
        cache.addIfAbsent('b'),
        cache.tryAdd('c'),
        cache.containsEach(['a', 'd']),
        cache.removeAll(['b', 'c']),
        cache.random(),
        cache.readAll(),
        cache.size(),
      ]
    })
    expect(results).toEqual([2, false, false, true, [true, false], true, 'a', ['a'], 1])
    await expect(
      clients.mine.batch((batch) => [batch.getSetCache(name).addAll(numbers(5_001))]),
    ).rejects.toMatchObject({ code: 'NOT_IN_BATCH', mayHaveRun: false })
    await clients.mine.getSetCache(name).delete()
  })
})
