import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  NestedComputeError,
  NotInBatchError,
  WrongTypeError,
  type LocalCachedMapOptions,
  type RedissonClient,
  type RLocalCachedMap,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

type Options = LocalCachedMapOptions<string, unknown>
type Cached = RLocalCachedMap<string, unknown>

/** What a map keeps here. */
const kept = async (map: Cached) => Object.fromEntries(await map.getCachedMap())

/** Waits until a map returns these values and keeps them: a message that is under way may drop some once more. */
const keeps = async (map: Cached, expected: object, keys = Object.keys(expected)) => {
  await eventually(async () => {
    expect(Object.fromEntries(await map.getAll(keys))).toEqual(expected)
    expect(await kept(map)).toEqual(expected)
  })
}

describe.each(slottedTopologies)('a local cached map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const newName = () => `local-${topology.kind}-${String(names++)}`

  const ask = (name: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, name, command, ...args)

  /** A map that listens already. */
  const open = async (client: RedissonClient, name: string, options?: Options): Promise<Cached> => {
    const map = client.getLocalCachedMap(name, options)
    await map.preloadCache()
    return map
  }

  /** One map, that of another client, and that of the same client. All are removed after the test. */
  const withMaps = async (
    use: (mine: Cached, theirs: Cached, name: string) => Promise<void>,
    options?: Options,
    name = newName(),
  ) => {
    await using mine = await open(clients.mine, name, options)
    await using theirs = await open(clients.other, name, options)
    try {
      await use(mine, theirs, name)
    } finally {
      await mine.delete()
    }
  }

  /** Changes an entry without a message, so that what is read after that came from here or from Redis. */
  const change = (name: string, key: string, value: string) => ask(name, 'HSET', key, value)

  it('returns what it has read without asking again', async () => {
    await withMaps(async (mine, _, name) => {
      await change(name, 'a', '1')
      expect(await mine.get('a')).toBe(1)
      await change(name, 'a', '2')
      expect(await mine.get('a')).toBe(1)
      expect(await mine.containsKey('a')).toBe(true)
      expect(await mine.computeIfAbsent('a', () => 9)).toBe(1)
      expect(await mine.getAll(['a'])).toEqual(new Map([['a', 1]]))
      expect(await kept(mine)).toEqual({ a: 1 })
    })
  })

  it('returns what it has written without asking', async () => {
    await withMaps(async (mine, _, name) => {
      expect(await mine.put('a', { x: [1] })).toBeUndefined()
      await change(name, 'a', '2')
      expect(await mine.get('a')).toEqual({ x: [1] })
      expect(await mine.put('a', 3)).toBe(2)
      expect(await kept(mine)).toEqual({ a: 3 })
    })
  })

  it('returns a value of its own with each call', async () => {
    await withMaps(async (mine) => {
      await mine.put('a', { x: 1 })
      const first = (await mine.get('a')) as { x: number }
      first.x = 2
      expect(await mine.get('a')).toEqual({ x: 1 })
    })
    await withMaps(
      async (mine) => {
        await mine.put('a', Buffer.from('abc'))
        ;((await mine.get('a')) as Buffer).fill(0)
        ;(await mine.getCachedMap()).forEach((value) => (value as Buffer).fill(0))
        expect(await mine.get('a')).toEqual(Buffer.from('abc'))
      },
      { codec: bytesCodec() as never },
    )
  })

  const changes: readonly (readonly [string, (map: Cached) => Promise<unknown>, unknown, object])[] = [
    ['put', (map) => map.put('a', 2), 1, { a: 2 }],
    ['fastPut', (map) => map.fastPut('a', 2), false, { a: 2 }],
    ['putAll', (map) => map.putAll({ a: 2, c: 3 }), undefined, { a: 2, c: 3 }],
    ['putIfExists', (map) => map.putIfExists('a', 2), 1, { a: 2 }],
    ['fastPutIfExists', (map) => map.fastPutIfExists('a', 2), true, { a: 2 }],
    ['replace', (map) => map.replace('a', 2), 1, { a: 2 }],
    ['replace of an expected value', (map) => map.replace('a', 1, 2), true, { a: 2 }],
    ['fastReplace', (map) => map.fastReplace('a', 2), true, { a: 2 }],
    ['remove', (map) => map.remove('a'), 1, {}],
    ['remove of an expected value', (map) => map.remove('a', 1), true, {}],
    ['fastRemove', (map) => map.fastRemove('a', 'none'), 1, {}],
    ['addAndGet', (map) => map.addAndGet('a', 1), 2, { a: 2 }],
    ['compute', (map) => map.compute('a', () => 2), 2, { a: 2 }],
    ['compute of nothing', (map) => map.compute('a', () => undefined), undefined, {}],
    ['computeIfPresent', (map) => map.computeIfPresent('a', () => 2), 2, { a: 2 }],
    ['merge', (map) => map.merge('a', 1, (x, y) => Number(x) + Number(y)), 2, { a: 2 }],
    ['clear', (map) => map.clear(), undefined, {}],
    ['delete', (map) => map.delete(), true, {}],
    ['unlink', (map) => map.unlink(), true, {}],
  ]

  describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
    it.each(changes)('drops or replaces what others keep: %s', async (_, call, result, after) => {
      await withMaps(
        async (mine, theirs) => {
          await mine.put('a', 1)
          await keeps(theirs, { a: 1 })
          await mine.get('a')
          expect(await call(mine)).toEqual(result)
          expect(Object.fromEntries(await mine.getAll(['a', 'c']))).toEqual(after)
          await keeps(theirs, after, ['a', 'c'])
          await keeps(mine, after, ['a', 'c'])
        },
        { syncStrategy },
      )
    })

    it('keeps nothing of what was not changed', async () => {
      await withMaps(
        async (mine, theirs) => {
          await mine.put('a', 1)
          await keeps(theirs, { a: 1 })
          await keeps(mine, { a: 1 })
          expect(await mine.putIfAbsent('a', 2)).toBe(1)
          expect(await mine.fastPutIfAbsent('a', 2)).toBe(false)
          expect(await mine.putIfExists('b', 2)).toBeUndefined()
          expect(await mine.fastPutIfExists('b', 2)).toBe(false)
          expect(await mine.replace('a', 3, 2)).toBe(false)
          expect(await mine.remove('b')).toBeUndefined()
          expect(await mine.remove('a', 3)).toBe(false)
          expect(await mine.fastRemove('b', 'c')).toBe(0)
          expect(await mine.get('a')).toBe(1)
          expect(await kept(mine)).toEqual({ a: 1 })
          expect(await kept(theirs)).toEqual({ a: 1 })
        },
        { syncStrategy },
      )
    })

    it('puts new values where there is none', async () => {
      await withMaps(
        async (mine, theirs) => {
          expect(await mine.putIfAbsent('a', 1)).toBeUndefined()
          expect(await mine.fastPutIfAbsent('b', 2)).toBe(true)
          expect(await mine.computeIfAbsent('c', () => 3)).toBe(3)
          expect(await mine.addAndGet('d', 4)).toBe(4)
          expect(await mine.fastPut('e', 5)).toBe(true)
          const all = { a: 1, b: 2, c: 3, d: 4, e: 5 }
          expect(Object.fromEntries(await theirs.getAll(Object.keys(all)))).toEqual(all)
          expect(await theirs.readAllMap()).toEqual(new Map(Object.entries(all)))
          expect(Object.fromEntries(await allOf(theirs))).toEqual(all)
          expect(await theirs.size()).toBe(5)
          expect((await theirs.readAllKeySet()).toSorted()).toEqual(Object.keys(all))
          expect(await theirs.containsValue(3)).toBe(true)
          expect(await theirs.containsValue(9)).toBe(false)
        },
        { syncStrategy },
      )
    })

    it('does the same in another object of the same client', async () => {
      await withMaps(
        async (mine, _, name) => {
          await using again = await open(clients.mine, name, { syncStrategy })
          await mine.put('a', 1)
          await eventually(async () => (await again.get('a')) === 1)
          await mine.put('a', 2)
          await eventually(async () => (await again.get('a')) === 2)
        },
        { syncStrategy },
      )
    })

    it('reads anew when the map has been renamed, copied over or restored', async () => {
      await withMaps(
        async (mine, theirs, name) => {
          await using other = await open(clients.mine, `${name}:source`, { syncStrategy })
          await using source = await open(clients.mine, `${name}:target`, { syncStrategy })
          await other.put('a', 'other')
          await source.put('a', 'source')
          await mine.put('a', 1)
          await keeps(theirs, { a: 1 })
          await other.copy(name, { replace: true })
          await eventually(async () => (await theirs.get('a')) === 'other')
          await source.rename(name)
          await eventually(async () => (await theirs.get('a')) === 'source')
          expect(await source.get('a')).toBeUndefined()
          const state = await mine.dump()
          await mine.put('a', 2)
          await eventually(async () => (await theirs.get('a')) === 2)
          await theirs.restoreAndReplace(state as Uint8Array)
          await eventually(async () => (await mine.get('a')) === 'source')
          await other.delete()
        },
        { syncStrategy },
        `{${newName()}}`,
      )
    })

    it('keeps nothing for longer than the map lives', async () => {
      await withMaps(
        async (mine, theirs) => {
          await mine.put('a', 1)
          await eventually(async () => (await theirs.get('a')) === 1)
          await mine.expire(200)
          expect(await mine.get('a')).toBe(1)
          await eventually(async () => (await theirs.get('a')) === 1)
          await eventually(async () => (await theirs.get('a')) === undefined)
          expect(await mine.get('a')).toBeUndefined()
          expect(await kept(mine)).toEqual({})
        },
        { syncStrategy },
      )
    })

    it('puts and removes many entries', async () => {
      const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`k${String(n)}`, n]))
      await withMaps(
        async (mine, theirs) => {
          await mine.putAll(many)
          expect((await mine.getAll(Object.keys(many))).size).toBe(12_000)
          expect((await theirs.getAll(Object.keys(many))).size).toBe(12_000)
          await keeps(theirs, many)
          expect(await mine.fastRemove(...Object.keys(many).slice(1))).toBe(11_999)
          await eventually(async () => {
            expect(await kept(theirs)).toEqual({ k0: 0 })
          })
          expect(await mine.getAll(Object.keys(many))).toEqual(new Map([['k0', 0]]))
        },
        { syncStrategy },
      )
    })
  })

  it('has the new value at other clients with UPDATE, without asking', async () => {
    await withMaps(
      async (mine, theirs, name) => {
        await mine.put('a', 1)
        await eventually(async () => {
          expect(await kept(theirs)).toEqual({ a: 1 })
          expect(await kept(mine)).toEqual({ a: 1 })
        })
        await change(name, 'a', '2')
        expect(await theirs.get('a')).toBe(1)
        await mine.putAll({ a: 3, b: 4 })
        await eventually(async () => {
          expect(await kept(theirs)).toEqual({ a: 3, b: 4 })
        })
      },
      { syncStrategy: 'UPDATE' },
    )
  })

  it('says nothing to others with NONE', async () => {
    await withMaps(
      async (mine, theirs) => {
        await mine.put('a', 1)
        expect(await theirs.get('a')).toBe(1)
        await mine.put('a', 2)
        expect(await mine.get('a')).toBe(2)
        expect(await theirs.get('a')).toBe(1)
        expect(await theirs.clearLocalCache()).toBe(true)
        expect(await theirs.get('a')).toBe(2)
      },
      { syncStrategy: 'NONE' },
    )
  })

  it('asks only for what it does not keep', async () => {
    await withMaps(async (mine, _, name) => {
      await mine.putAll({ a: 1, b: 2 })
      await change(name, 'a', '10')
      await change(name, 'c', '30')
      expect([...(await mine.getAll(['c', 'x', 'a', 'b']))]).toEqual([
        ['c', 30],
        ['a', 1],
        ['b', 2],
      ])
      expect(await kept(mine)).toEqual({ a: 1, b: 2, c: 30 })
    })
  })

  it('keeps that a key has no value only where it shall', async () => {
    await withMaps(async (mine, _, name) => {
      expect(await mine.get('a')).toBeUndefined()
      await change(name, 'a', '1')
      expect(await mine.get('a')).toBe(1)
    })
    await withMaps(
      async (mine, theirs, name) => {
        expect(await mine.get('a')).toBeUndefined()
        expect(await mine.getAll(['b'])).toEqual(new Map())
        await change(name, 'a', '1')
        await change(name, 'b', '1')
        expect(await mine.get('a')).toBeUndefined()
        expect(await mine.containsKey('b')).toBe(false)
        expect(await kept(mine)).toEqual({})
        await theirs.put('a', 2)
        await eventually(async () => (await mine.get('a')) === 2)
        expect(await mine.computeIfAbsent('b', () => 9)).toBe(1)
      },
      { storeCacheMiss: true },
    )
  })

  it('keeps as many entries as it may', async () => {
    const four = { a: 1, b: 2, c: 3, d: 4 }
    await withMaps(
      async (mine) => {
        await mine.putAll(four)
        expect(await mine.readAllMap()).toEqual(new Map(Object.entries(four)))
        expect(await kept(mine)).toEqual({ a: 1, b: 2 })
        await mine.put('a', 5)
        expect(await kept(mine)).toEqual({ a: 5, b: 2 })
      },
      { cacheSize: 2 },
    )
    await withMaps(
      async (mine) => {
        await mine.putAll({ a: 1, b: 2 })
        await mine.get('a')
        await mine.put('c', 3)
        expect(await kept(mine)).toEqual({ a: 1, c: 3 })
      },
      { cacheSize: 2, evictionPolicy: 'LRU' },
    )
    await withMaps(
      async (mine) => {
        await mine.putAll({ a: 1, b: 2 })
        for (let each = 0; each < 3; each += 1) await mine.get('a')
        await mine.get('b')
        await mine.put('c', 3)
        expect(await kept(mine)).toEqual({ a: 1, c: 3 })
        await mine.put('d', 4)
        expect(await kept(mine)).toEqual({ a: 1, d: 4 })
      },
      { cacheSize: 2, evictionPolicy: 'LFU' },
    )
    await withMaps(
      async (mine) => {
        await mine.putAll(four)
        expect(await mine.get('a')).toBe(1)
        expect(await kept(mine)).toEqual({})
      },
      { cacheSize: -1 },
    )
  })

  it('reads all entries before they are needed', async () => {
    await withMaps(async (mine, theirs, name) => {
      await mine.putAll({ a: 1, b: 2 })
      expect(await kept(theirs)).toEqual({})
      await eventually(async () => {
        await theirs.preloadCache(1)
        expect(await kept(theirs)).toEqual({ a: 1, b: 2 })
      })
      expect((await theirs.cachedKeySet()).toSorted()).toEqual(['a', 'b'])
      expect((await theirs.cachedValues()).toSorted()).toEqual([1, 2])
      expect((await theirs.cachedEntrySet()).toSorted()).toEqual([
        ['a', 1],
        ['b', 2],
      ])
      await change(name, 'a', '9')
      expect(await theirs.get('a')).toBe(1)
      await expect(theirs.preloadCache(0)).rejects.toThrow(RangeError)
      await expect(theirs.preloadCache(5_001)).rejects.toThrow(RangeError)
    })
  })

  it('drops what all clients keep, and leaves the map as it is', async () => {
    await withMaps(async (mine, theirs, name) => {
      await using again = await open(clients.mine, name)
      await mine.put('a', 1)
      await eventually(async () => (await theirs.get('a')) === 1 && (await again.get('a')) === 1)
      await change(name, 'a', '2')
      expect(await mine.clearLocalCache()).toBe(true)
      expect(await kept(theirs)).toEqual({})
      expect(await kept(again)).toEqual({})
      expect(await theirs.get('a')).toBe(2)
      expect(await mine.get('a')).toBe(2)
    })
  })

  it.each([
    ['delete', (map: Cached) => map.delete(), false],
    ['clear', (map: Cached) => map.clear(), undefined],
    ['expire', (map: Cached) => map.expire(600_000), false],
  ])('keeps nothing after %s() of a map that is gone without a message', async (_, call, result) => {
    await withMaps(async (mine, _, name) => {
      await mine.put('a', 1)
      expect(await mine.get('a')).toBe(1)
      await ask(name, 'DEL')
      expect(await call(mine)).toBe(result)
      expect(await mine.get('a')).toBeUndefined()
    })
  })

  it('keeps nothing once it is destroyed, and still notifies others', async () => {
    await withMaps(async (mine, theirs, name) => {
      await mine.put('a', 1)
      await eventually(async () => (await theirs.get('a')) === 1)
      await mine.destroy()
      await mine.destroy()
      expect(await kept(mine)).toEqual({})
      await mine.put('a', 2)
      await eventually(async () => (await theirs.get('a')) === 2)
      await change(name, 'a', '3')
      expect(await mine.get('a')).toBe(3)
      await mine.preloadCache()
      expect(await kept(mine)).toEqual({})
    })
  })

  it('may have keys of any kind', async () => {
    const name = newName()
    await using map = clients.mine.getLocalCachedMap<bigint, number>(name, {
      codec: { key: longCodec({ bigint: true }) },
    })
    await map.preloadCache()
    await map.put(7n, 1)
    await ask(name, 'HSET', '7', '2')
    expect(await map.get(7n)).toBe(1)
    expect(await map.cachedKeySet()).toEqual([7n])
    await map.delete()
  })

  it.each(['{braces}:local', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withMaps(
      async (mine, theirs) => {
        await mine.put('é', 1)
        await eventually(async () => (await theirs.get('é')) === 1)
        await mine.put('é', 2)
        await eventually(async () => (await theirs.get('é')) === 2)
      },
      { reconnectionStrategy: 'LOAD' },
      name,
    )
  })

  it('computes a value once, of what is in Redis', async () => {
    await withMaps(async (mine, theirs, name) => {
      await mine.put('a', 1)
      await change(name, 'a', '5')
      expect(await mine.compute('a', (_, value) => Number(value) + 1)).toBe(6)
      const sums = [mine, theirs, mine, theirs].map((map) =>
        map.compute('a', (_, value) => Number(value) + 1),
      )
      expect((await Promise.all(sums)).toSorted()).toEqual([10, 7, 8, 9])
      await eventually(async () => (await theirs.get('a')) === 10 && (await mine.get('a')) === 10)
      await expect(mine.compute('a', () => mine.compute('a', () => 1))).rejects.toThrow(NestedComputeError)
    })
  })

  it('has the locks of a map', async () => {
    await withMaps(async (mine, _, name) => {
      const lock = mine.getLock('a')
      expect(lock.name).toBe(clients.mine.getMap(name).getLock('a').name)
      await lock.withLock(() => mine.put('a', 1))
    })
  })

  it('refuses another kind of object, options that are wrong, and batches', async () => {
    const { mine } = clients
    const name = newName()
    await mine.getBucket(name).set(1)
    await using map = mine.getLocalCachedMap(name)
    for (const call of [
      () => map.get('a'),
      () => map.put('a', 1),
      () => map.getAll(['a']),
      () => map.putAll({ a: 1 }),
      () => map.remove('a'),
      () => map.fastRemove('a'),
      () => map.addAndGet('a', 1),
      () => map.preloadCache(),
      () => map.delete(),
      () => map.expire(1_000),
    ])
      await expect(call()).rejects.toThrow(WrongTypeError)
    await mine.getBucket(name).delete()
    const made = (options: object) => () => mine.getLocalCachedMap(name, options)
    expect(made({ cacheSize: -2 })).toThrow(RangeError)
    expect(made({ cacheSize: 1.5 })).toThrow(RangeError)
    expect(made({ evictionPolicy: 'SOFT' })).toThrow("Expected `evictionPolicy` to be 'NONE', 'LRU' or 'LFU'")
    expect(made({ syncStrategy: 'none' })).toThrow(TypeError)
    expect(made({ reconnectionStrategy: 'RELOAD' })).toThrow(TypeError)
    expect(made({ ttlMs: -1 })).toThrow(RangeError)
    expect(made({ storeCacheMiss: 1 })).toThrow(TypeError)
    expect(made({ cacheProvider: 'CAFFEINE' })).toThrow('Expected no options but')
    await expect(map.addAndGet('a', NaN)).rejects.toThrow(RangeError)
    const batch = mine.batch((objects) => [
      (objects as unknown as RedissonClient).getLocalCachedMap(name).get('a'),
    ])
    await expect(batch).rejects.toThrow(NotInBatchError)
  })
})
