import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type CacheOptions, type RCache, type RedissonClient } from '../../../src/index.js'
import * as scripts from '../../../src/caches/cache/cache.scripts.js'
import { askAll } from '../../support/ask-all.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { Passing } from '../../support/proxy/trap.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'
import { held } from './held.js'
import { untilListening } from './listeners.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }
const LONG_MS = 600_000

const fail = () => {
  throw new Error('it failed')
}

describe.each([single, cluster])('a cache whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name = ''

  noLeaks(topology, { except: /cache-\d+|cache-warm/ })

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
    const warm = straight.getCache('cache-warm')
    await warm.getOrLoad('a', () => 1, { tags: ['a'], redisTimeoutMs: 20_000 })
    await warm.set('a', 1)
    await warm.delete('a')
    await warm.deleteTag('a')
    await warm.getOrLoad('a', fail, { redisTimeoutMs: 20_000 }).catch(() => undefined)
  })

  beforeEach(async () => {
    name = `cache-${String(names++)}`
    await eventually(() => client.ping())
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const mine = (options: CacheOptions<unknown> = {}): RCache<unknown> =>
    client.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 20_000, ...options })
  const theirs = (options: CacheOptions<unknown> = {}): RCache<unknown> =>
    straight.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 20_000, ...options })
  const mark = (command: string) => askOwner(topology, `${name}:{a}:load`, command)

  describe.each([
    ['has no room', 'maxmemory', '1', '0'],
    ['has too few replicas', 'min-replicas-to-write', '9', '0'],
  ])('while Redis %s', (_, setting, refusing, usual) => {
    const set = (value: string) =>
      askAll(topology.nodes, (node) => node.command('CONFIG', 'SET', setting, value))

    afterEach(() => set(usual))

    it('returns what is there, and loads the rest, one load after the other', async () => {
      const cache = mine({ staleMs: LONG_MS })
      const down = vi.fn()
      cache.on('redisDown', down)
      await cache.set('there', 1)
      await cache.set('stale', 1, { ttlMs: 1 })
      await set(refusing)
      const { loader, begun, letGo } = held(2)
      const calls = [cache.getOrLoad('a', loader), cache.getOrLoad('a', loader)]
      await begun
      const later = cache.getOrLoad('a', loader)
      expect(await cache.getOrLoad('there', fail)).toBe(1)
      expect(await cache.getOrLoad('stale', fail)).toBe(1)
      expect(await cache.getOrLoad('stale', () => 3, { softTimeoutMs: 20_000 })).toBe(3)
      await eventually(() => cache.stats.coalesced === 1)
      expect(loader).toHaveBeenCalledOnce()
      letGo()
      expect(await Promise.all([...calls, later])).toEqual([2, 2, 2])
      expect(loader).toHaveBeenCalledTimes(2)
      expect(await cache.getOrLoad('a', () => 3)).toBe(3)
      await expect(cache.set('there', 2)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
      await set(usual)
      expect(await cache.getOrLoad('a', () => 4)).toBe(4)
      expect(await cache.getOrLoad('a', fail)).toBe(4)
      expect(down).not.toHaveBeenCalled()
    })

    it('returns what was loaded before', async () => {
      const cache = mine()
      const down = vi.fn()
      cache.on('redisDown', down)
      const { loader, begun, letGo } = held(2)
      const call = cache.getOrLoad('a', loader)
      await begun
      await set(refusing)
      letGo()
      expect(await call).toBe(2)
      expect(await theirs().get('a')).toBeUndefined()
      expect(down).not.toHaveBeenCalled()
    })
  })

  const refuse = (script: 'read' | 'lead', words: string) => {
    for (const proxy of door.proxies)
      proxy.onRequest(scripts[script].sha, (passing) => passing.refuse(words), { times: Infinity })
  }

  it('returns what is there where Redis refuses to mark a load, and loads once for calls that come together', async () => {
    const cache = mine({ staleMs: LONG_MS, redisTimeoutMs: 1_000 })
    const down = vi.fn()
    cache.on('redisDown', down)
    await theirs({ staleMs: LONG_MS }).set('there', 1)
    await theirs({ staleMs: LONG_MS }).set('stale', 1, { ttlMs: 1 })
    refuse('lead', "READONLY You can't write against a read only replica.")
    const { loader, begun, letGo } = held(2)
    const calls = [cache.getOrLoad('a', loader), cache.getOrLoad('a', fail)]
    await begun
    expect(await cache.getOrLoad('there', fail, { earlyRefresh: Number.MAX_SAFE_INTEGER })).toBe(1)
    expect(await cache.getOrLoad('stale', fail)).toBe(1)
    expect(cache.stats.coalesced).toBe(1)
    letGo()
    expect(await Promise.all(calls)).toEqual([2, 2])
    expect(down).not.toHaveBeenCalled()
  })

  it('has a call that comes while no load can be marked join none that began before it', async () => {
    const cache = mine({ redisTimeoutMs: 1_000 })
    refuse('lead', "READONLY You can't write against a read only replica.")
    const old = held('old')
    const first = cache.getOrLoad('a', old.loader)
    await old.begun
    await theirs().delete('a')
    const renewed = held('new')
    const later = [cache.getOrLoad('a', renewed.loader), cache.getOrLoad('a', fail)]
    await cache.get('b') // the later calls have read by now
    expect(renewed.loader).not.toHaveBeenCalled() // one load at a time
    old.letGo()
    await renewed.begun
    renewed.letGo()
    expect(await Promise.all([first, ...later])).toEqual(['old', 'new', 'new'])
  })

  it('marks a load as soon as Redis has replied again, after a mark was lost', async () => {
    await using patient = await Redisson.create(door.options({ ...SETTINGS, timeout: 20_000 }))
    const cache = patient.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 1_000 })
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const lost = async (passing: Passing) => {
      await promise
      passing.cut()
    }
    const down = vi.fn()
    cache.on('redisDown', down)
    strike(door.proxies, scripts.lead.sha, ['vanishes', 'request', lost])
    expect(await cache.getOrLoad('a', () => 7)).toBe(7)
    letGo()
    await eventually(() => patient.ping())
    expect(await cache.getOrLoad('a', () => 8, { redisTimeoutMs: 20_000 })).toBe(8)
    // Where the first read has taken a second as well, Redis was down, and the test shows nothing.
    expect(down.mock.calls.length === 1 || (await theirs().get('a')) === 8).toBe(true)
  })

  describe('with a call that waits for Redis less long than the others', () => {
    const hurried = { redisTimeoutMs: 50 }
    const holdRead = () => {
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      return { ...strike(door.proxies, scripts.read.sha, ['is late', 'reply', () => promise]), letGo }
    }

    it('does not take Redis for down', async () => {
      const cache = mine()
      const down = vi.fn()
      cache.on('redisDown', down)
      const { letGo } = holdRead()
      expect(await cache.getOrLoad('a', () => 7, hurried)).toBe(7)
      const patient = cache.getOrLoad('b', () => 8)
      letGo()
      expect(await patient).toBe(8)
      expect(await theirs().get('b')).toBe(8)
      expect(down).not.toHaveBeenCalled()
    })

    it('shares a request with those that are as hurried, whatever the order of the calls is', async () => {
      const cache = mine()
      await cache.set('a', 7)
      const sent = vi.fn()
      for (const proxy of door.proxies) proxy.onRequest(scripts.read.sha, sent, { times: 10 })
      const options = [hurried, {}, hurried, {}].map((each) => ({ redisTimeoutMs: 20_000, ...each }))
      await Promise.all(options.map((each) => cache.getOrLoad('a', fail, each)))
      expect(sent).toHaveBeenCalledTimes(2)
    })

    it('lets the others wait as long as they would alone', async () => {
      const cache = mine()
      const { letGo } = holdRead()
      const calls = [cache.getOrLoad('a', () => 7, hurried), cache.getOrLoad('a', () => 8)]
      expect(await calls[0]).toBe(7)
      letGo()
      expect(await calls[1]).toBe(8)
    })

    it('finds out that Redis is down', async () => {
      const cache = mine({ redisTimeoutMs: 200 })
      const down = vi.fn()
      cache.on('redisDown', down)
      for (const proxy of door.proxies) proxy.stall()
      expect(await cache.getOrLoad('a', () => 7, hurried)).toBe(7)
      await eventually(() => down.mock.calls.length === 1)
      for (const proxy of door.proxies) proxy.resume()
    })
  })

  it('says by its event what Redis has said', async () => {
    const cache = mine({ redisTimeoutMs: 1_000 })
    const down = vi.fn()
    cache.on('redisDown', down)
    refuse('read', 'LOADING Redis is loading the dataset in memory')
    expect(await cache.getOrLoad('a', () => 7)).toBe(7)
    const error = { code: 'SERVER_NOT_READY', message: expect.stringContaining('LOADING') as string }
    expect(down).toHaveBeenCalledExactlyOnceWith({ error: expect.objectContaining(error) as Error })
  })

  describeFaults('a request that %s', TIMEOUT_MS, (...fault) => {
    it('begins one load', async () => {
      const { struck } = strike(door.proxies, scripts.lead.sha, fault)
      const loader = vi.fn(() => 7)
      expect(await mine().getOrLoad('a', loader)).toBe(7)
      await struck
      expect(loader).toHaveBeenCalledTimes(1)
      expect(await theirs().get('a')).toBe(7)
      await eventually(async () => (await mark('EXISTS')) === 0)
    })

    it('stores what was loaded', async () => {
      const { struck } = strike(door.proxies, scripts.store.sha, fault)
      expect(await mine().getOrLoad('a', () => 7)).toBe(7)
      await struck
      expect(await theirs().getOrLoad('a', fail)).toBe(7)
    })

    it('lets another call load after an error', async () => {
      const { struck } = strike(door.proxies, scripts.abandon.sha, fault)
      await expect(mine().getOrLoad('a', fail)).rejects.toThrow('it failed')
      await struck
      expect(await theirs().getOrLoad('a', () => 7)).toBe(7)
    })

    it('sets, removes and invalidates', async () => {
      strike(door.proxies, scripts.put.sha, fault)
      await mine().set('a', 1, { tags: ['t'] })
      expect(await theirs().get('a')).toBe(1)
      strike(door.proxies, scripts.invalidate.sha, fault)
      await mine().deleteTag('t')
      expect(await theirs().get('a')).toBeUndefined()
      await theirs().set('a', 2)
      strike(door.proxies, scripts.remove.sha, fault)
      // A copy finds no entry where the first one has removed it.
      const removed = await mine()
        .delete('a')
        .catch((error: unknown) => error)
      if (removed !== true) expect(removed).toMatchObject({ mayHaveRun: true })
      expect(await theirs().get('a')).toBeUndefined()
    })

    it('reads', async () => {
      await theirs().set('a', 1)
      strike(door.proxies, scripts.read.sha, fault)
      expect(await mine().get('a')).toBe(1)
    })
  })

  it('does not store by a copy that comes after another client has set the entry', async () => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    strike(door.proxies, scripts.store.sha, ['is held up', 'request', () => promise])
    expect(await mine().getOrLoad('a', () => 'old')).toBe('old')
    await theirs().set('a', 'new')
    letGo()
    await eventually(() => client.ping())
    expect(await theirs().get('a')).toBe('new')
  })

  it('does not remove an entry as old that was written since', async () => {
    await theirs().set('a', 'old', { ttlMs: 0 })
    await theirs().clear()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const { struck } = strike(door.proxies, scripts.read.sha, ['is answered late', 'reply', () => promise])
    const purged = door.proxies.map((proxy) => proxy.onReply(scripts.purge.sha).happened)
    const reading = mine().get('a')
    await struck
    await theirs().set('a', 'new', { ttlMs: 0 })
    letGo()
    expect(await reading).toBeUndefined()
    await Promise.any(purged)
    expect(await theirs().get('a')).toBe('new')
    await theirs().delete('a')
  })

  describe('while Redis is silent', () => {
    const silence = () => {
      for (const proxy of door.proxies) proxy.stall()
    }
    const down = { redisTimeoutMs: 500 }

    it('calls the loader in time, once for all calls of the process, with one event', async () => {
      const cache = mine(down)
      const events: string[] = []
      cache.on('redisDown', ({ error }) => events.push(`down ${error.name}`))
      cache.on('redisUp', () => events.push('up'))
      await cache.get('b')
      silence()
      const { loader, begun, letGo } = held(7)
      const calls = Array.from({ length: 20 }, () => cache.getOrLoad('a', loader))
      await begun
      const later = cache.getOrLoad('a', fail)
      letGo()
      expect(new Set(await Promise.all([...calls, later]))).toEqual(new Set([7]))
      expect(loader).toHaveBeenCalledTimes(1)
      expect(await cache.getOrLoad('b', () => 8)).toBe(8)
      expect(await cache.getOrLoad('c', () => 9)).toBe(9)
      expect(events).toEqual(['down ReplyTimeoutError'])
      for (const proxy of door.proxies) proxy.resume()
      await eventually(async () => {
        await cache.getOrLoad('d', () => 10)
        return events.length >= 2
      })
      expect(events.slice(0, 2)).toEqual(['down ReplyTimeoutError', 'up'])
      await eventually(async () => {
        await cache.getOrLoad('e', () => 11)
        return (await theirs().get('e')) === 11
      })
    })

    it('returns what was loaded where it cannot be stored, and another process loads', async () => {
      const cache = mine({ redisTimeoutMs: 500 })
      const { loader, begun, letGo } = held(7)
      const call = cache.getOrLoad('a', loader)
      await begun
      silence()
      letGo()
      expect(await call).toBe(7)
      for (const proxy of door.proxies) proxy.resume()
      expect([7, 8]).toContain(await theirs().getOrLoad('a', () => 8))
    })

    it('rejects with what the loader throws', async () => {
      const cache = mine(down)
      silence()
      await expect(cache.getOrLoad('a', fail)).rejects.toThrow('it failed')
    })
  })

  it.each(['read', 'lead'] as const)(
    'begins no second load where the reply to %s comes after the loader was called without Redis',
    async (script) => {
      await using patient = await Redisson.create(door.options({ ...SETTINGS, timeout: 20_000 }))
      const cache = patient.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 1_000 })
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      const sha = scripts[script].sha
      const { struck } = strike(door.proxies, sha, ['is answered late', 'reply', () => promise])
      const loader = vi.fn(() => 7)
      const call = cache.getOrLoad('a', loader)
      await struck
      expect(await call).toBe(7)
      letGo()
      // Replies come in the order of their requests: a load that the late reply began would have asked, and been answered, by then.
      for (let times = 0; times < 2; times += 1) await cache.get('a')
      expect(loader).toHaveBeenCalledTimes(1)
      await eventually(async () => (await mark('EXISTS')) === 0)
    },
  )

  it('calls the loader while no connection can be made', async () => {
    const cache = mine({ redisTimeoutMs: 100 })
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    expect(await cache.getOrLoad('a', () => 7)).toBe(7)
    await Promise.all(door.proxies.map((proxy) => proxy.accept()))
    await eventually(async () => {
      await cache.getOrLoad('b', () => 8)
      return (await theirs().get('b')) === 8
    })
  })

  it('has a call that comes while Redis is down join no load that began before', async () => {
    const cache = mine({ redisTimeoutMs: 100 })
    const { loader, begun, letGo } = held('old')
    const first = cache.getOrLoad('a', loader, { redisTimeoutMs: 20_000 })
    await begun
    await theirs().delete('a')
    for (const proxy of door.proxies) proxy.stall()
    const alone = held('new')
    const second = cache.getOrLoad('a', alone.loader)
    await alone.begun
    const third = cache.getOrLoad('a', fail)
    alone.letGo()
    expect(await Promise.all([second, third])).toEqual(['new', 'new'])
    for (const proxy of door.proxies) proxy.resume()
    letGo()
    expect(await first).toBe('old')
  })

  it('joins no load of an earlier outage', async () => {
    const cache = mine({ redisTimeoutMs: 100 })
    const up = vi.fn()
    cache.on('redisUp', up)
    const silence = () => {
      for (const proxy of door.proxies) proxy.stall()
    }
    silence()
    const { loader, begun, letGo } = held('old')
    const first = cache.getOrLoad('a', loader)
    await begun
    for (const proxy of door.proxies) proxy.resume()
    await eventually(async () => {
      await cache.getOrLoad('b', () => 1)
      return up.mock.calls.length === 1
    })
    silence()
    expect(await cache.getOrLoad('a', () => 'new')).toBe('new')
    letGo()
    expect(await first).toBe('old')
  })

  it('goes on to wait where the message of the end gets lost', async () => {
    const { loader, begun, letGo } = held(7)
    const first = theirs().getOrLoad('a', loader)
    await begun
    const second = mine().getOrLoad('a', fail)
    await untilListening(topology, name)
    for (const proxy of door.proxies) proxy.cut() // the channel as well
    letGo()
    expect(await Promise.all([first, second])).toEqual([7, 7])
  })
})

describe('a cache in a cluster of which one node is silent', () => {
  let door: Proxied<typeof cluster>
  let client: RedissonClient

  noLeaks(cluster, { except: /cache-\d+/ })

  beforeAll(async () => {
    door = await proxied(cluster)
    client = await Redisson.create(door.options(SETTINGS))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it(
    'returns the entries of the others, and asks that node no more than now and then',
    { tags: ['timed'] },
    async () => {
      const name = 'cache-1'
      const cache = client.getCache<number>(name, { ttlMs: LONG_MS, redisTimeoutMs: 100 })
      const home = await ownerOf(cluster, `ioredisson_cache_clear:{${name}}`)
      const owners = new Map<string, ServerNode>()
      for (const key of 'abcdefghijklmnop') owners.set(key, await ownerOf(cluster, `${name}:{${key}}`))
      const silent = [...owners.values()].find((owner) => owner !== home) as ServerNode
      const away = [...owners.keys()].filter((key) => owners.get(key) === silent)
      const there = [...owners.keys()].filter((key) => owners.get(key) !== silent)
      await cache.setMany([...owners.keys()].map((key) => [key, 1] as const))
      const events: string[] = []
      cache.on('redisDown', () => events.push('down'))
      cache.on('redisUp', () => events.push('up'))
      const proxy = door.proxyOf(silent)
      proxy.stall()
      expect(await cache.getOrLoad(away[0] as string, () => 2)).toBe(2)
      const asked: string[] = []
      proxy.onRequest('cache', (passing) => void asked.push(passing.request), { times: Infinity })
      for (let times = 0; times < 20; times += 1) {
        for (const key of there) expect(await cache.getOrLoad(key, fail)).toBe(1)
        for (const key of away) expect(await cache.getOrLoad(key, () => 2)).toBe(2)
      }
      expect(events).toEqual(['down'])
      proxy.resume()
      await eventually(async () => {
        await cache.getOrLoad(there[0] as string, fail)
        return events.length === 2
      })
      expect(events).toEqual(['down', 'up'])
      expect(asked.filter((request) => request.includes(scripts.read.sha)).length).toBeLessThan(3)
      expect(await cache.getOrLoad(away[0] as string, fail)).toBe(1)
    },
  )
})
