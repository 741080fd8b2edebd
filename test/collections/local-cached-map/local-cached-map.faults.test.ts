import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as scripts from '../../../src/collections/local-cached-map/local-cached-map.scripts.js'
import {
  Redisson,
  SubscriptionTimeoutError,
  type LocalCachedMapOptions,
  type RedissonClient,
  type RLocalCachedMap,
} from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 5, retryAttempts: 20 }

type Cached = RLocalCachedMap<string, unknown>
type Options = LocalCachedMapOptions<string, unknown>

const kept = async (map: Cached) => Object.fromEntries(await map.getCachedMap())

/** What a map has in Redis. */
const look = async (client: RedissonClient, name: string) =>
  Object.fromEntries(await client.getMap(name).readAllMap())

function calling(
  what: string,
  call: (map: Cached) => Promise<unknown>,
  answer: unknown,
  states: readonly [object, object],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await client.getMap(name).delete()
      await client.getMap(name).putAll(Object.entries(states[0]))
    },
    call: async (client, name, exactlyOnce) => {
      await using map = client.getLocalCachedMap(name, { exactlyOnce })
      return await call(map)
    },
    answer,
    states,
  }
}

const ONE = { k: 1 }
const TWO = { k: 2 }

testLostReplies(
  'a local cached map',
  [
    calling('put', (map) => map.put('k', 2), 1, [ONE, TWO]),
    calling('fastPut of a new key', (map) => map.fastPut('k', 2), true, [{}, TWO]),
    calling('putAll', (map) => map.putAll(TWO), undefined, [ONE, TWO]),
    calling('putIfAbsent', (map) => map.putIfAbsent('k', 1), undefined, [{}, ONE]),
    calling('fastPutIfAbsent', (map) => map.fastPutIfAbsent('k', 1), true, [{}, ONE]),
    calling('putIfExists', (map) => map.putIfExists('k', 2), 1, [ONE, TWO]),
    calling('fastPutIfExists', (map) => map.fastPutIfExists('k', 2), true, [ONE, TWO]),
    calling('replace of an expected value', (map) => map.replace('k', 1, 2), true, [ONE, TWO]),
    calling('remove', (map) => map.remove('k'), 1, [ONE, {}]),
    calling('remove of an expected value', (map) => map.remove('k', 1), true, [ONE, {}]),
    calling('fastRemove', (map) => map.fastRemove('k', 'none'), 1, [ONE, {}]),
    calling('addAndGet', (map) => map.addAndGet('k', 1), 2, [ONE, TWO]),
    calling('compute', (map) => map.compute('k', () => 2), 2, [ONE, TWO]),
    calling('delete', (map) => map.delete(), true, [ONE, {}]),
  ],
  look,
)

describe.each(slottedTopologies)('a local cached map over a network that fails ($kind)', (topology) => {
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
    name = `broken-local-${topology.kind}-${String(names++)}`
  })

  const heal = () => Promise.all(door.proxies.map((proxy) => proxy.heal()))

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await door.stop()
  })

  const ask = (command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, name, command, ...args)

  /** Changes an entry without a message. */
  const change = (key: string, value: string) => ask('HSET', key, value)

  const subscriptions = () =>
    door.proxies.flatMap(({ connections }) => connections.filter(({ subscribed }) => subscribed))

  const cut = () => {
    for (const connection of subscriptions()) connection.cut()
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
    await using mine = here.getLocalCachedMap(name, options)
    await using theirs = there.getLocalCachedMap(name, options)
    await theirs.preloadCache()
    await theirs.putAll({ a: 1, b: 1, c: 1 })
    const keeps = { a: 1, b: 1, c: 1 }
    await eventually(async () => {
      for (const map of [mine, theirs]) {
        await map.preloadCache()
        expect(await kept(map)).toEqual(keeps)
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
      const inRedis = await look(there, name)
      for (const map of maps) {
        const found = await map.getAll(['a', 'b', 'c', 'd'])
        expect(Object.fromEntries(found)).toEqual(inRedis)
      }
    }
    await eventually(truth)
    await eventually(truth)
  }

  const changes: readonly (readonly [string, keyof typeof scripts, (map: Cached) => Promise<unknown>])[] = [
    ['put', 'put', (map) => map.put('a', 2)],
    ['fastPut', 'put', (map) => map.fastPut('a', 2)],
    ['putAll', 'putAll', (map) => map.putAll({ a: 2, d: 2 })],
    ['putIfAbsent', 'put', (map) => map.putIfAbsent('d', 2)],
    ['replace', 'put', (map) => map.replace('a', 1, 2)],
    ['remove', 'remove', (map) => map.remove('a')],
    ['fastRemove', 'removeAll', (map) => map.fastRemove('a', 'b')],
    ['addAndGet', 'add', (map) => map.addAndGet('a', 1)],
  ]

  describeFaults('of which a request %s', TIMEOUT_MS, (...fault) => {
    describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
      it.each(changes)('returns what is in Redis after %s', async (_, script, call) => {
        await withMaps({ syncStrategy }, async (mine, theirs) => {
          const { struck } = strike(door.proxies, (scripts[script] as { readonly sha: string }).sha, fault)
          await call(mine).catch((error: unknown) => {
            expect(error).toHaveProperty('mayHaveRun')
          })
          await struck
          await demandTruth(mine, theirs)
        })
      })
    })
  })

  describe.each(['INVALIDATE', 'UPDATE'] as const)('with %s', (syncStrategy) => {
    it('asks Redis while it hears nothing, and has nothing old afterwards with CLEAR', async () => {
      await withMaps({ syncStrategy }, async (mine, theirs) => {
        const hear = keepDeaf()
        await eventually(async () => {
          expect(await kept(mine)).toEqual({})
        })
        await theirs.put('a', 2)
        await change('b', '2')
        expect(await mine.getAll(['a', 'b', 'c'])).toEqual(new Map(Object.entries({ a: 2, b: 2, c: 1 })))
        await mine.put('c', 3)
        hear()
        await eventually(async () => {
          await mine.getAll(['a', 'b', 'c'])
          expect(await kept(mine)).toEqual({ a: 2, b: 2, c: 3 })
        })
      })
    })

    it('drops only what was changed lately with LOAD', async () => {
      await withMaps({ syncStrategy, reconnectionStrategy: 'LOAD' }, async (mine, theirs) => {
        await change('kept', '1') // which is noted nowhere
        const all = { a: 1, b: 1, c: 1, kept: 1 }
        // The log is known only after an interruption: the map was not there when they began to listen.
        cut()
        await eventually(async () => {
          await mine.preloadCache()
          expect(await kept(mine)).toEqual(all)
        })
        const hear = keepDeaf()
        await eventually(async () => {
          expect(await kept(mine)).toEqual({})
        })
        await theirs.put('a', 2)
        await theirs.remove('b')
        await change('kept', '9')
        hear()
        await eventually(async () => {
          expect(await kept(mine)).toEqual({ kept: 1 })
        })
        expect(await mine.getAll(['a', 'b'])).toEqual(new Map([['a', 2]]))
      })
    })

    it.each([
      ['has an end now', (map: Cached) => map.expire(600_000)],
      ['was cleared of what is kept', (map: Cached) => map.clearLocalCache()],
    ])('drops all with LOAD if the map %s', async (_, call) => {
      await withMaps({ syncStrategy, reconnectionStrategy: 'LOAD' }, async (mine, theirs) => {
        await change('d', '1') // which is noted nowhere
        const deaf = async () => {
          const hear = keepDeaf()
          await eventually(async () => {
            expect(await kept(mine)).toEqual({})
          })
          return hear
        }
        const hearFirst = await deaf() // the log is known only after that
        hearFirst()
        await eventually(async () => {
          await mine.preloadCache()
          expect(await kept(mine)).toEqual({ a: 1, b: 1, c: 1, d: 1 })
        })
        const hear = await deaf()
        await change('d', '9')
        expect(await call(theirs)).toBe(true)
        hear()
        await eventually(async () => {
          await mine.get('b')
          expect(await mine.cachedKeySet()).toContain('b') // it listens again
        })
        expect(await mine.get('d')).toBe(9)
      })
    })

    it('drops all with LOAD if the map has become one that it was before', async () => {
      name = `{${name}}`
      await withMaps({ syncStrategy, reconnectionStrategy: 'LOAD' }, async (mine, theirs) => {
        await using before = there.getLocalCachedMap(`${name}:before`, { reconnectionStrategy: 'LOAD' })
        await change('d', '1') // which is noted nowhere
        await theirs.copy(before.name)
        await theirs.put('d', 2)
        const deaf = async () => {
          const hear = keepDeaf()
          await eventually(async () => {
            expect(await kept(mine)).toEqual({})
          })
          return hear
        }
        const hearFirst = await deaf() // the log is known only after that
        hearFirst()
        await eventually(async () => {
          await mine.preloadCache()
          expect(await kept(mine)).toEqual({ a: 1, b: 1, c: 1, d: 2 })
        })
        const hear = await deaf()
        await before.rename(name)
        hear()
        await eventually(async () => {
          expect(Object.fromEntries(await mine.getAll(['a', 'b', 'c', 'd']))).toEqual({
            a: 1,
            b: 1,
            c: 1,
            d: 1,
          })
          expect(await kept(mine)).toEqual({ a: 1, b: 1, c: 1, d: 1 })
        })
        await demandTruth(mine, theirs)
      })
    })

    it('drops all with LOAD if the map was removed and is there again', async () => {
      await withMaps({ syncStrategy, reconnectionStrategy: 'LOAD' }, async (mine, theirs) => {
        cut()
        await eventually(async () => {
          await mine.preloadCache()
          expect(await kept(mine)).toEqual({ a: 1, b: 1, c: 1 })
        })
        const hear = keepDeaf()
        await theirs.delete()
        await theirs.put('a', 2)
        hear()
        await demandTruth(mine, theirs)
      })
    })
  })

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
      for (let times = 0; times < 50; times += 1) {
        cut()
        // A call may reject: its connection is cut, or slow on a busy machine.
        await Promise.allSettled([mine.put('a', times), theirs.put('b', times), theirs.put('a', -times)])
        await mine.getAll(['a', 'b', 'c'])
      }
      await demandTruth(mine, theirs)
    })
  })

  it('rejects where it has to listen and Redis does not let it, and reads all the same', async () => {
    await using client = await Redisson.create(door.options({ ...SETTINGS, subscriptionTimeout: 300 }))
    await using map = client.getLocalCachedMap(name)
    const hear = keepDeaf()
    await expect(map.preloadCache()).rejects.toThrow(SubscriptionTimeoutError)
    await expect(map.clearLocalCache()).rejects.toThrow(SubscriptionTimeoutError)
    await map.put('a', 1)
    await change('a', '2')
    expect(await map.get('a')).toBe(2)
    hear()
    await map.preloadCache()
    expect(await kept(map)).toEqual({ a: 2 })
    await map.delete()
  })
})
