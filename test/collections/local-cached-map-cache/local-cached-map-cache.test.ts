import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  longCodec,
  NotInBatchError,
  WrongTypeError,
  type LocalCachedMapCacheOptions,
  type RedissonClient,
  type RLocalCachedMapCache,
  type RMapCache,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

type Options = LocalCachedMapCacheOptions<string, unknown>
type Cached = RLocalCachedMapCache<string, unknown>

const LIFE = { ttlMs: 600_000 }

const mapOf = (entries: object) => new Map(Object.entries(entries))

/** What a map keeps here. */
const kept = async (map: Cached) => Object.fromEntries(await map.getCachedMap())

/** Waits until a map returns these values and keeps them: a message that is under way may drop some once more. */
const keeps = async (map: Cached, expected: object, keys = Object.keys(expected)) => {
  await eventually(async () => {
    expect(Object.fromEntries(await map.getAll(keys))).toEqual(expected)
    expect(await kept(map)).toEqual(expected)
  })
}

describe.each(slottedTopologies)('a local cached map cache ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const newName = () => `local-cache-${topology.kind}-${String(names++)}`

  /** A map that listens already. */
  const open = async (client: RedissonClient, name: string, options?: Options): Promise<Cached> => {
    const map = client.getLocalCachedMapCache(name, options)
    await map.preloadCache()
    return map
  }

  /** One map, that of another client, and one that has the same entries and tells no local cache of changes. */
  const withMaps = async (
    use: (mine: Cached, theirs: Cached, plain: RMapCache<string, unknown>) => Promise<void>,
    options?: Options,
    name = newName(),
  ) => {
    await using mine = await open(clients.mine, name, options)
    await using theirs = await open(clients.other, name, options)
    try {
      await use(mine, theirs, clients.other.getMapCache(name))
    } finally {
      await mine.delete()
    }
  }

  it('returns what it has read or written without asking again', async () => {
    await withMaps(async (mine, _, plain) => {
      await plain.put('a', 1, LIFE)
      expect(await mine.get('a')).toBe(1)
      expect(await mine.put('b', { x: [1] }, LIFE)).toBeUndefined()
      await plain.putAll({ a: 2, b: 2 })
      expect(await mine.get('a')).toBe(1)
      expect(await mine.containsKey('a')).toBe(true)
      expect(await mine.computeIfAbsent('a', () => 9)).toBe(1)
      expect(await mine.getAll(['a', 'b'])).toEqual(mapOf({ a: 1, b: { x: [1] } }))
      expect(await kept(mine)).toEqual({ a: 1, b: { x: [1] } })
      expect((await mine.cachedKeySet()).toSorted()).toEqual(['a', 'b'])
      expect(await mine.cachedValues()).toEqual(expect.arrayContaining([1, { x: [1] }]))
      expect(new Map(await mine.cachedEntrySet())).toEqual(await mine.getCachedMap())
      expect(await mine.getWithTTLOnly('a')).toBe(2)
    })
  })

  const changes: readonly (readonly [string, (map: Cached) => Promise<unknown>, unknown, object])[] = [
    ['put', (map) => map.put('a', 2), 1, { a: 2 }],
    ['put with an end', (map) => map.put('a', 2, LIFE), 1, { a: 2 }],
    ['fastPut', (map) => map.fastPut('a', 2, { maxIdleMs: 600_000 }), false, { a: 2 }],
    ['putAll', (map) => map.putAll({ a: 2, c: 3 }), undefined, { a: 2, c: 3 }],
    ['putAll with an end', (map) => map.putAll({ a: 2, c: 3 }, LIFE), undefined, { a: 2, c: 3 }],
    ['putIfExists', (map) => map.putIfExists('a', 2), 1, { a: 2 }],
    ['fastPutIfExists', (map) => map.fastPutIfExists('a', 2), true, { a: 2 }],
    ['replace', (map) => map.replace('a', 2), 1, { a: 2 }],
    ['replace of an expected value', (map) => map.replace('a', 1, 2), true, { a: 2 }],
    ['fastReplace', (map) => map.fastReplace('a', 2), true, { a: 2 }],
    ['remove', (map) => map.remove('a'), 1, {}],
    ['remove of an expected value', (map) => map.remove('a', 1), true, {}],
    ['fastRemove', (map) => map.fastRemove('a', 'none'), 1, {}],
    ['removeWithLease', (map) => map.removeWithLease('a'), true, {}],
    ['addAndGet', (map) => map.addAndGet('a', 1), 2, { a: 2 }],
    ['compute', (map) => map.compute('a', () => 2, LIFE), 2, { a: 2 }],
    ['compute of nothing', (map) => map.compute('a', () => undefined), undefined, {}],
    ['computeIfPresent', (map) => map.computeIfPresent('a', () => 2), 2, { a: 2 }],
    ['merge', (map) => map.merge('a', 1, (x, y) => Number(x) + Number(y)), 2, { a: 2 }],
    ['expireEntry', (map) => map.expireEntry('a', LIFE), true, { a: 1 }],
    ['expireEntries', (map) => map.expireEntries(['a', 'a', 'none'], LIFE), 2, { a: 1 }],
    ['clear', (map) => map.clear(), undefined, {}],
    ['delete', (map) => map.delete(), true, {}],
    ['unlink', (map) => map.unlink(), true, {}],
  ]

  it.each(['NONE', 'INVALIDATE', 'UPDATE'] as const)(
    'keeps nothing of what its own call removes to make room, with %s',
    async (syncStrategy) => {
      await withMaps(
        async (mine) => {
          await mine.setMaxSize(2)
          await mine.putAll({ a: 1, b: 2 })
          expect(await mine.getAll(['a', 'b'])).toEqual(mapOf({ a: 1, b: 2 }))
          await mine.put('c', 3)
          expect(await mine.get('a')).toBeUndefined()
          await mine.putAll({ d: 4, e: 5, f: 6 })
          expect(await mine.getAll(['b', 'c', 'd', 'e', 'f'])).toEqual(mapOf({ e: 5, f: 6 }))
        },
        { syncStrategy },
      )
    },
  )

  it.each([
    ['setMaxSize', (map: Cached) => map.setMaxSize(100)],
    ['clearLocalCache', (map: Cached) => map.clearLocalCache()],
  ])('keeps what messages bring after its own %s() with UPDATE', async (_, call) => {
    await withMaps(
      async (mine, theirs) => {
        await mine.put('a', 1)
        await call(mine)
        await eventually(async () => {
          await theirs.put('b', 2)
          expect(await kept(mine)).toMatchObject({ b: 2 })
        })
      },
      { syncStrategy: 'UPDATE' },
    )
  })

  it('drops that there is no value when one is put under a lease', async () => {
    await withMaps(
      async (mine, theirs) => {
        expect(await theirs.get('a')).toBeUndefined()
        const { leaseToken } = await mine.getWithLease('a', 600_000)
        expect(await mine.putWithLease('a', 1, leaseToken ?? '')).toBe(true)
        expect(await mine.get('a')).toBe(1)
        await keeps(theirs, { a: 1 })
      },
      { storeCacheMiss: true },
    )
  })

  describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
    it.each(changes)('drops or replaces what others keep: %s', async (_, call, result, after) => {
      await withMaps(
        async (mine, theirs, plain) => {
          await mine.put('a', 1)
          await keeps(theirs, { a: 1 })
          await mine.get('a')
          expect(await call(mine)).toEqual(result)
          expect(Object.fromEntries(await mine.getAll(['a', 'c']))).toEqual(after)
          await keeps(theirs, after, ['a', 'c'])
          expect(Object.fromEntries(await plain.readAllMap())).toEqual(after)
        },
        { syncStrategy },
      )
    })

    it('keeps nothing of what was not changed, and leaves what others keep', async () => {
      await withMaps(
        async (mine, theirs, plain) => {
          await mine.put('a', 1)
          await keeps(theirs, { a: 1 })
          await plain.put('a', 2) // without a message
          expect(await mine.putIfAbsent('a', 3)).toBe(2)
          expect(await mine.fastPutIfAbsent('a', 3)).toBe(false)
          expect(await mine.replace('a', 3, 4)).toBe(false)
          expect(await mine.remove('a', 3)).toBe(false)
          expect(await mine.fastRemove('none')).toBe(0)
          expect(await mine.expireEntryIfNotSet('none', LIFE)).toBe(false)
          await mine.put('end', 1) // its message is behind those of the others
          await keeps(theirs, { a: 1, end: 1 })
        },
        { syncStrategy },
      )
    })

    it('drops what was removed to make room', async () => {
      await withMaps(
        async (mine, theirs, plain) => {
          await mine.setMaxSize(2)
          await mine.putAll({ a: 1, b: 1 })
          await keeps(theirs, { a: 1, b: 1 })
          await mine.put('a', 2)
          await mine.put('c', 3)
          await keeps(theirs, { a: 2, c: 3 }, ['a', 'b', 'c'])
          await keeps(mine, { a: 2, c: 3 }, ['a', 'b', 'c'])
          await theirs.setMaxSize(1)
          const left = Object.fromEntries(await plain.readAllMap())
          expect(Object.keys(left)).toHaveLength(1)
          await keeps(mine, left, ['a', 'b', 'c'])
          await keeps(theirs, left, ['a', 'b', 'c'])
        },
        { syncStrategy },
      )
    })

    it('reads anew when the map has been renamed, copied over, or expires', async () => {
      const name = `{${newName()}}`
      await withMaps(
        async (mine, theirs) => {
          await using source = await open(clients.mine, `${name}:source`, { syncStrategy })
          await mine.put('a', 1)
          await source.put('a', 2)
          await keeps(theirs, { a: 1 })
          expect(await source.copy(name, { replace: true })).toBe(true)
          await keeps(theirs, { a: 2 })
          await source.put('a', 3)
          await source.rename(name)
          await keeps(theirs, { a: 3 })
          await keeps(mine, { a: 3 })
          expect(await source.get('a')).toBeUndefined()
          await theirs.expire(50)
          await eventually(async () => {
            expect(await mine.get('a')).toBeUndefined()
            expect(await kept(mine)).toEqual({})
          })
        },
        { syncStrategy },
        name,
      )
    })
  })

  it('has the new value at other clients with UPDATE, unless it expires', async () => {
    await withMaps(
      async (mine, theirs) => {
        await mine.putAll({ a: 1, b: 1 })
        await eventually(async () => {
          expect(await kept(theirs)).toEqual({ a: 1, b: 1 })
        })
        await mine.put('a', 2, LIFE)
        await mine.fastPutIfExists('b', 2)
        await mine.fastPut('c', 3)
        await eventually(async () => {
          expect(await kept(theirs)).toEqual({ c: 3 })
        })
        expect(await kept(mine)).toEqual({ c: 3 })
        expect(await theirs.getAll(['a', 'b'])).toEqual(mapOf({ a: 2, b: 2 }))
      },
      { syncStrategy: 'UPDATE' },
    )
  })

  it.each([
    ['its time to live', { ttlMs: 100 }],
    ['a quarter of its idle time, however often it is read here', { maxIdleMs: 400 }],
  ])('keeps an entry for no longer than %s', async (_, life) => {
    for (const read of [false, true]) {
      await withMaps(async (mine, theirs, plain) => {
        await theirs.put('a', 1, life)
        if (read) expect(await mine.getAll(['a'])).toEqual(mapOf({ a: 1 }))
        else await mine.preloadCache()
        await plain.put('a', 2) // without an end, and without a message
        await eventually(async () => {
          expect(await mine.get('a')).toBe(2)
          expect(await theirs.get('a')).toBe(2)
        })
      })
    }
  })

  it('asks for what it has used often enough that it does not expire', { tags: ['timed'] }, async () => {
    await withMaps(async (mine) => {
      await mine.put('a', 1, { maxIdleMs: 1_000 })
      for (let times = 0; times < 60; times += 1) {
        expect(await mine.get('a')).toBe(1)
        await setTimeout(50)
      }
    })
  })

  it('says nothing to others with NONE', async () => {
    await withMaps(
      async (mine, theirs) => {
        await mine.put('a', 1)
        expect(await theirs.get('a')).toBe(1)
        await mine.setMaxSize(1)
        await mine.put('a', 2)
        await mine.put('b', 2)
        expect(await theirs.get('a')).toBe(1)
        expect(await mine.clearLocalCache()).toBe(true)
        expect(await mine.get('a')).toBeUndefined()
      },
      { syncStrategy: 'NONE' },
    )
  })

  it('keeps that a key has no value only where it shall', async () => {
    for (const storeCacheMiss of [false, true])
      await withMaps(
        async (mine, theirs, plain) => {
          expect(await mine.get('a')).toBeUndefined()
          await plain.put('a', 1)
          expect(await mine.get('a')).toBe(storeCacheMiss ? undefined : 1)
          expect(await mine.containsKey('a')).toBe(!storeCacheMiss)
          await theirs.put('a', 2)
          await keeps(mine, { a: 2 })
        },
        { storeCacheMiss },
      )
  })

  it('reads many entries, before they are needed or at once', async () => {
    await withMaps(async (mine, theirs, plain) => {
      const all = Object.fromEntries(
        Array.from({ length: 2_500 }, (_, place) => [`k${String(place)}`, place]),
      )
      await plain.putAll(all, LIFE)
      await mine.preloadCache(500)
      expect(await kept(mine)).toEqual(all)
      expect(Object.fromEntries(await theirs.getAll(Object.keys(all)))).toEqual(all)
      expect(await kept(theirs)).toEqual(all)
      expect(await mine.fastRemove(...Object.keys(all))).toBe(2_500)
      await eventually(async () => {
        expect(await kept(theirs)).toEqual({})
      })
    })
  })

  it('drops what all clients keep, and leaves the map as it is', async () => {
    await withMaps(async (mine, theirs, plain) => {
      await mine.put('a', 1, LIFE)
      await keeps(theirs, { a: 1 })
      await plain.put('a', 2, LIFE)
      expect(await mine.clearLocalCache()).toBe(true)
      expect(await theirs.get('a')).toBe(2)
      expect(await mine.remainTimeToLive('a')).toBeGreaterThan(0)
    })
  })

  it('publishes events of entries as a map cache does', async () => {
    await withMaps(async (mine, theirs) => {
      const events: string[] = []
      await using _created = await theirs.addListener('entryCreated', ({ key }) => events.push(`+${key}`))
      await using _updated = await theirs.addListener('entryUpdated', ({ key }) => events.push(`=${key}`))
      await using _removed = await theirs.addListener('entryRemoved', ({ key }) => events.push(`-${key}`))
      await mine.put('a', 1)
      await mine.put('a', 2)
      await mine.remove('a')
      await eventually(() => {
        expect(events.toSorted()).toEqual(['+a', '-a', '=a'])
      })
    })
  })

  it('keeps nothing once it is destroyed, and still notifies others', async () => {
    await withMaps(async (mine, theirs, plain) => {
      await mine.put('a', 1)
      await keeps(theirs, { a: 1 })
      await mine.destroy()
      await mine.destroy()
      await mine.put('a', 2)
      await keeps(theirs, { a: 2 })
      await plain.put('a', 3)
      expect(await mine.get('a')).toBe(3)
      expect(await kept(mine)).toEqual({})
    })
  })

  it('may have keys of any kind, and the locks of a map', async () => {
    const name = newName()
    await using map = clients.mine.getLocalCachedMapCache<number, string>(name, {
      codec: { key: longCodec() },
    })
    await map.preloadCache()
    await map.put(7, 'seven', LIFE)
    expect(await map.get(7)).toBe('seven')
    expect(await map.getCachedMap()).toEqual(new Map([[7, 'seven']]))
    expect(await map.getLock(7).tryLock()).toBe(true)
    await map.getLock(7).unlock()
    await map.delete()
  })

  it('refuses another kind of object, options that are wrong, and batches', async () => {
    const { mine } = clients
    const name = newName()
    await askOwner(topology, name, 'SET', '1')
    await using map = mine.getLocalCachedMapCache(name)
    await expect(map.get('a')).rejects.toThrow(WrongTypeError)
    await expect(map.put('a', 1)).rejects.toThrow(WrongTypeError)
    await expect(map.preloadCache(0)).rejects.toThrow(RangeError)
    await askOwner(topology, name, 'DEL')
    expect(() => mine.getLocalCachedMapCache('x', { reconnectionStrategy: 'LOAD' } as never)).toThrow(
      "Expected `reconnectionStrategy` to be 'CLEAR' or 'NONE', got 'LOAD'",
    )
    expect(() => mine.getLocalCachedMapCache('x', { loader: {} } as never)).toThrow(TypeError)
    await expect(mine.batch(() => [map.put('a', 1)])).rejects.toThrow(NotInBatchError)
  })
})
