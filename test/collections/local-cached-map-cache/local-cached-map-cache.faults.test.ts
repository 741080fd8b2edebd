import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { notifyingScript } from '../../../src/collections/local-cached-map-cache/notifying.js'
import * as entryScripts from '../../../src/collections/map-cache/map-cache.scripts.js'
import { limit } from '../../../src/collections/map-cache/option.scripts.js'
import {
  Redisson,
  type LocalCachedMapCacheOptions,
  type RedissonClient,
  type RLocalCachedMapCache,
} from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 5, retryAttempts: 20 }

const LIFE = { ttlMs: 600_000, maxIdleMs: 600_000 }

const scripts = { ...entryScripts, limit }

type Cached = RLocalCachedMapCache<string, unknown>
type Options = LocalCachedMapCacheOptions<string, unknown>

/** The entries of a map, each with its value and whether it expires. */
type State = readonly (readonly [key: string, value: unknown, expires: boolean])[]

const NONE: State = []
const ONE: State = [['k', 1, false]]
const TWO: State = [['k', 2, false]]
const ONE_FOR_A_WHILE: State = [['k', 1, true]]
const TWO_FOR_A_WHILE: State = [['k', 2, true]]

async function look(client: RedissonClient, name: string): Promise<State> {
  const cache = client.getMapCache(name)
  return await Promise.all(
    (await cache.readAllEntrySet()).map(
      async ([key, value]) => [key, value, (await cache.remainTimeToLive(key)) > 0] as const,
    ),
  )
}

/** A call of a map that is empty before, or has one entry. */
function calling(
  what: string,
  call: (map: Cached) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      const cache = client.getMapCache(name)
      await cache.delete()
      await cache.putAll(states[0].map(([key, value]) => [key, value] as const))
    },
    call: async (client, name, exactlyOnce) => {
      await using map = client.getLocalCachedMapCache(name, { exactlyOnce })
      return await call(map)
    },
    answer,
    states,
  }
}

testLostReplies(
  'a local cached map cache',
  [
    calling('put', (map) => map.put('k', 2, LIFE), 1, [ONE, TWO_FOR_A_WHILE]),
    calling('fastPut of a new key', (map) => map.fastPut('k', 2, LIFE), true, [NONE, TWO_FOR_A_WHILE]),
    calling('putAll', (map) => map.putAll({ k: 2 }, LIFE), undefined, [ONE, TWO_FOR_A_WHILE]),
    calling('putIfAbsent', (map) => map.putIfAbsent('k', 1), undefined, [NONE, ONE]),
    calling('fastPutIfAbsent', (map) => map.fastPutIfAbsent('k', 1), true, [NONE, ONE]),
    calling('putIfExists', (map) => map.putIfExists('k', 2), 1, [ONE, TWO]),
    calling('fastPutIfExists', (map) => map.fastPutIfExists('k', 2), true, [ONE, TWO]),
    calling('replace of an expected value', (map) => map.replace('k', 1, 2), true, [ONE, TWO]),
    calling('remove', (map) => map.remove('k'), 1, [ONE, NONE]),
    calling('remove of an expected value', (map) => map.remove('k', 1), true, [ONE, NONE]),
    calling('fastRemove', (map) => map.fastRemove('k', 'none'), 1, [ONE, NONE]),
    calling('addAndGet', (map) => map.addAndGet('k', 1), 2, [ONE, TWO]),
    calling('expireEntry', (map) => map.expireEntry('k', LIFE), true, [ONE, ONE_FOR_A_WHILE]),
    calling('compute', (map) => map.compute('k', () => 2, LIFE), 2, [ONE, TWO_FOR_A_WHILE]),
    calling('clear', (map) => map.clear(), undefined, [ONE, NONE]),
    calling('delete', (map) => map.delete(), true, [ONE, NONE]),
  ],
  look,
)

describe.each(slottedTopologies)('a local cached map cache over a network that fails ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let here: RedissonClient
  let there: RedissonClient
  let name: string
  let names = 0

  noLeaks(topology, { except: /^\{?(?:redisson__once|warm)/ })

  beforeAll(async () => {
    door = await proxied(topology)
    here = await Redisson.create(door.options(SETTINGS))
    there = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `broken-local-cache-${topology.kind}-${String(names++)}`
  })

  const heal = () => Promise.all(door.proxies.map((proxy) => proxy.heal()))

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await door.stop()
  })

  const kept = async (map: Cached) => Object.fromEntries(await map.getCachedMap())

  const cut = () => {
    for (const { connections } of door.proxies)
      for (const connection of connections) if (connection.subscribed) connection.cut()
  }

  /** Cuts the connections that listen, and each that begins to. Returns what lets them come about again. */
  const keepDeaf = () => {
    const traps = door.proxies.map((proxy) =>
      proxy.onRequest(
        (request) => /^s?subscribe/i.test(request),
        (passing) => passing.cut(),
        { times: Infinity },
      ),
    )
    cut()
    return () => {
      for (const trap of traps) trap[Symbol.dispose]()
    }
  }

  /** Both keep a, b and c. */
  const withMaps = async (options: Options, use: (mine: Cached, theirs: Cached) => Promise<void>) => {
    await using mine = here.getLocalCachedMapCache(name, options)
    await using theirs = there.getLocalCachedMapCache(name, options)
    await theirs.preloadCache()
    await theirs.putAll({ a: 1, b: 1, c: 1 }, LIFE)
    await eventually(async () => {
      for (const map of [mine, theirs]) {
        await map.preloadCache()
        expect(await kept(map)).toEqual({ a: 1, b: 1, c: 1 })
      }
    })
    try {
      await use(mine, theirs)
    } finally {
      await theirs.delete()
    }
  }

  /** Demands that both return what is in Redis, now and when all messages have arrived. */
  const demandTruth = async (...maps: readonly Cached[]) => {
    const truth = async () => {
      const inRedis = await there.getMapCache(name).readAllMap()
      for (const map of maps) expect(await map.getAll(['a', 'b', 'c', 'd'])).toEqual(inRedis)
    }
    await eventually(truth)
    await eventually(truth)
  }

  const changes: readonly (readonly [string, keyof typeof scripts, (map: Cached) => Promise<unknown>])[] = [
    ['put', 'put', (map) => map.put('a', 2, LIFE)],
    ['fastPut', 'putIf', (map) => map.fastPut('a', 2)],
    ['putAll', 'putAll', (map) => map.putAll({ a: 2, d: 2 })],
    ['remove', 'remove', (map) => map.remove('a')],
    ['fastRemove', 'fastRemove', (map) => map.fastRemove('a', 'b')],
    ['addAndGet', 'add', (map) => map.addAndGet('a', 1)],
    ['clear', 'clear', (map) => map.clear()],
    ['setMaxSize', 'limit', (map) => map.setMaxSize(1)],
  ]

  describeFaults('of which a request %s', TIMEOUT_MS, (...fault) => {
    describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
      it.each(changes)('returns what is in Redis after %s', async (_, script, call) => {
        await withMaps({ syncStrategy }, async (mine, theirs) => {
          const { struck } = strike(door.proxies, notifyingScript(scripts[script] as never).sha, fault)
          await call(mine).catch((error: unknown) => {
            expect(error).toHaveProperty('mayHaveRun')
          })
          await struck
          await demandTruth(mine, theirs)
        })
      })
    })
  })

  it.each(['INVALIDATE', 'UPDATE'] as const)(
    'asks Redis while it hears nothing, and has nothing old afterwards with %s',
    async (syncStrategy) => {
      await withMaps({ syncStrategy }, async (mine, theirs) => {
        const hear = keepDeaf()
        await eventually(async () => {
          expect(await kept(mine)).toEqual({})
        })
        await theirs.put('a', 2)
        await theirs.setMaxSize(2)
        const truth = await there.getMapCache(name).readAllMap()
        expect(await mine.getAll(['a', 'b', 'c'])).toEqual(truth)
        hear()
        await eventually(async () => {
          await mine.getAll(['a', 'b', 'c'])
          expect(await mine.getCachedMap()).toEqual(truth)
        })
      })
    },
  )

  it('keeps all with NONE', async () => {
    await withMaps({ reconnectionStrategy: 'NONE' }, async (mine, theirs) => {
      const hear = keepDeaf()
      await eventually(async () => {
        expect(await kept(mine)).toEqual({})
      })
      await theirs.put('a', 2)
      expect(await mine.get('a')).toBe(2)
      hear()
      await eventually(async () => {
        expect(await kept(mine)).toEqual({ a: 1, b: 1, c: 1 })
      })
    })
  })

  it('returns nothing old after any number of interruptions', { timeout: 60_000 }, async () => {
    await withMaps({}, async (mine, theirs) => {
      for (let times = 0; times < 20; times += 1) {
        cut()
        // A call may reject: its connection is cut, or slow on a busy machine.
        await Promise.allSettled([
          mine.put('a', times),
          theirs.put('b', times, LIFE),
          theirs.put('a', -times),
        ])
        await mine.getAll(['a', 'b', 'c'])
      }
      await demandTruth(mine, theirs)
    })
  })
})
