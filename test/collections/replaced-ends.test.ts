import { describe, expect, it } from 'vitest'
import type { RedissonClient, RObject } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { Look } from '../support/look.js'
import { noLeaks } from '../support/no-leaks.js'
import { slottedTopologies } from '../support/topologies.js'

/** So long that no test waits for its end. */
const LATER_MS = 600_000

interface Replaced {
  readonly kind: string
  /** Makes an object some of whose entries end. */
  readonly make: (client: RedissonClient, name: string) => Promise<unknown>
  /** Where Redis has the ends. */
  readonly keys: (name: string) => readonly string[]
}

/** All objects that have keys beside their name by which clients remove entries. */
const ENDING: readonly Replaced[] = [
  {
    kind: 'a map cache',
    make: async (client, name) => {
      const cache = client.getMapCache(name)
      await cache.setMaxSize(9)
      await cache.put('a', 1, { ttlMs: LATER_MS, maxIdleMs: LATER_MS })
    },
    keys: (name) => [
      `redisson__timeout__set:${name}`,
      `redisson__idle__set:${name}`,
      `redisson__map_cache__last_access__set:${name}`,
      `${name}:redisson_options`,
    ],
  },
  {
    kind: 'a set multimap cache',
    make: async (client, name) => {
      await client.getSetMultimapCache(name).put('a', 1)
      await client.getSetMultimapCache(name).expireKey('a', LATER_MS)
    },
    keys: (name) => [`${name}:redisson_set_multimap_ttl`],
  },
  {
    kind: 'a list multimap cache',
    make: async (client, name) => {
      await client.getListMultimapCache(name).put('a', 1)
      await client.getListMultimapCache(name).expireKey('a', LATER_MS)
    },
    keys: (name) => [`${name}:redisson_list_multimap_ttl`],
  },
]

interface Replacing {
  readonly kind: string
  /** Makes an object without any end. */
  readonly make: (client: RedissonClient, name: string) => Promise<RObject>
}

const REPLACING: readonly Replacing[] = [
  { kind: 'a map', make: async (client, name) => filled(client.getMap(name), (map) => map.put('a', 2)) },
  {
    kind: 'a local cached map',
    make: async (client, name) =>
      filled(client.getLocalCachedMap(name), async (map) => {
        await map.put('a', 2)
        await map.destroy()
      }),
  },
  {
    kind: 'a map cache',
    make: async (client, name) => filled(client.getMapCache(name), (map) => map.put('a', 2)),
  },
  {
    kind: 'a local cached map cache',
    make: async (client, name) =>
      filled(client.getLocalCachedMapCache(name), async (map) => {
        await map.put('a', 2)
        await map.destroy()
      }),
  },
  { kind: 'a set', make: async (client, name) => filled(client.getSet(name), (set) => set.add('a')) },
  {
    kind: 'a set cache',
    make: async (client, name) => filled(client.getSetCache(name), (set) => set.add('a')),
  },
  {
    kind: 'a set multimap',
    make: async (client, name) => filled(client.getSetMultimap(name), (map) => map.put('a', 2)),
  },
  {
    kind: 'a list multimap',
    make: async (client, name) => filled(client.getListMultimap(name), (map) => map.put('a', 2)),
  },
  {
    kind: 'a set multimap cache',
    make: async (client, name) => filled(client.getSetMultimapCache(name), (map) => map.put('a', 2)),
  },
  {
    kind: 'a list multimap cache',
    make: async (client, name) => filled(client.getListMultimapCache(name), (map) => map.put('a', 2)),
  },
  {
    kind: 'a snowflake',
    make: async (client, name) => filled(client.getSnowflake(name), (ids) => ids.nextId()),
  },
  {
    kind: 'a Bloom filter',
    make: async (client, name) =>
      filled(client.getBloomFilter(name), async (filter) => {
        await filter.tryInit(10, 0.1)
        await filter.add('a')
      }),
  },
  {
    kind: 'a bucket',
    make: async (client, name) => filled(client.getBucket(name), (bucket) => bucket.set(2)),
  },
]

async function filled<T extends RObject>(object: T, fill: (object: T) => Promise<unknown>): Promise<T> {
  await fill(object)
  return object
}

describe.each(slottedTopologies)('the ends of what is replaced ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)

  /** Which of the keys are there. */
  const there = async (keys: readonly string[]) => {
    const found = await Promise.all(
      keys.map(async (key) => ((await look.ask(key, 'EXISTS')) === 1 ? [key] : [])),
    )
    return found.flat()
  }

  let names = 0

  /** Names that no test has used: clients know the numbers of their snowflakes. */
  const withNames = async (use: (from: string, to: string) => Promise<void>) => {
    const tag = `{replaced-${topology.kind}-${String(names++)}}`
    await use(`${tag}:from`, `${tag}:to`)
    await clients.mine.getKeys().deleteByPattern(`*${tag}*`)
  }

  describe.each(ENDING)('$kind', ({ make, keys }) => {
    it.each(REPLACING)('go with it when $kind gets its name', async ({ make: makeOther }) => {
      await withNames(async (from, to) => {
        await make(clients.other, to)
        expect(await there(keys(to))).toEqual(keys(to))
        await (await makeOther(clients.mine, from)).rename(to)
        expect(await there(keys(to))).toEqual([])
      })
    })

    it.each(REPLACING)('go with it when $kind is copied to its name', async ({ make: makeOther }) => {
      await withNames(async (from, to) => {
        await make(clients.other, to)
        const other = await makeOther(clients.mine, from)
        expect(await other.copy(to)).toBe(false)
        expect(await there(keys(to))).toEqual(keys(to))
        expect(await other.copy(to, { replace: true })).toBe(true)
        expect(await there(keys(to))).toEqual([])
        expect(await other.isExists()).toBe(true)
      })
    })

    it('go with it when a state is restored there', async () => {
      await withNames(async (from, to) => {
        const map = clients.mine.getMap(from)
        await map.put('a', 2)
        const state = await map.dump()
        await make(clients.other, to)
        await clients.mine.getMap(to).restoreAndReplace(state ?? new Uint8Array())
        expect(await there(keys(to))).toEqual([])
      })
    })

    it('go with it when a key gets its name', async () => {
      await withNames(async (from, to) => {
        await make(clients.other, to)
        await clients.mine.getBucket(from).set(1)
        await clients.mine.getKeys().rename(from, to)
        expect(await there(keys(to))).toEqual([])
      })
    })

    it('stay when it is renamed to the name that it has', async () => {
      await withNames(async (_, to) => {
        await make(clients.mine, to)
        await clients.mine.getMap(to).rename(to)
        expect(await there(keys(to))).toEqual(keys(to))
      })
    })
  })
})
