import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  Redisson,
  type CacheLocalOptions,
  type CacheOptions,
  type RCache,
  type RedissonClient,
} from '../../../src/index.js'
import * as scripts from '../../../src/caches/cache/cache.scripts.js'
import { LocalLevel } from '../../../src/caches/cache/local-level.js'
import { recordOf } from '../../../src/caches/cache/record.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'
import { held } from './held.js'
import { untilItListens } from './listeners.js'

const LONG_MS = 600_000
const LOCAL = { maxEntries: 100, ttlMs: LONG_MS }

const fail = () => {
  throw new Error('it failed')
}

describe.each([single, cluster])('a cache with entries in memory ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name = ''
  const made = new Set<RCache<unknown>>()

  noLeaks(topology, { except: /cache-\d+/ })

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options({ reconnectionDelay: 10 }))
    straight = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `cache-${String(names++)}`
  })

  afterEach(() => {
    for (const cache of made) cache.destroy()
    made.clear()
    return Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /** Through the proxy, with entries in memory. It listens as soon as it has read something. */
  const near = async (local: Partial<CacheLocalOptions> = {}, options: CacheOptions<unknown> = {}) => {
    const cache = client.getCache(name, {
      ttlMs: LONG_MS,
      redisTimeoutMs: 20_000,
      local: { ...LOCAL, ...local },
      ...options,
    })
    made.add(cache)
    await cache.get('warm')
    await untilItListens(client, name)
    return cache
  }
  const far = () => straight.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 20_000 })
  /** Writes entries without a message, which would drop what is read before it arrives. */
  const put = async (values: Record<string, unknown>) => {
    const header = { ttlMs: LONG_MS, staleMs: 0, loadMs: 0, isAbsent: false, stamp: new Map() }
    for (const [key, value] of Object.entries(values)) {
      const record = String(recordOf(header, JSON.stringify(value)))
      await askOwner(topology, `${name}:{${key}}`, 'SET', record, 'PX', LONG_MS)
    }
  }
  const isRead = async (cache: RCache<unknown>, key: string) => {
    const before = cache.stats.localHits
    await cache.get(key)
    return cache.stats.localHits > before
  }

  it('serves nothing after the shutdown, when it hears of no changes', async () => {
    const closed = await Redisson.create(topology.options())
    const cache = closed.getCache(name, { ttlMs: LONG_MS, redisTimeoutMs: 20_000, local: LOCAL })
    expect(await cache.getOrLoad('a', () => 1)).toBe(1)
    await closed.shutdown()
    for (const call of [cache.get('a'), cache.has('a'), cache.getMany(['a']), cache.getOrLoad('a', fail)])
      await expect(call).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('serves what was read once from memory', async () => {
    const cache = await near()
    await put({ a: { id: 1 } })
    const first = await cache.get('a')
    expect(first).toEqual({ id: 1 })
    expect(await cache.get('a')).toBe(first)
    expect(await cache.getOrLoad('a', fail)).toBe(first)
    expect(await cache.has('a')).toBe(true)
    expect(await cache.getMany(['a'])).toEqual(new Map([['a', first]]))
    expect(cache.stats).toMatchObject({ localHits: 4, remoteHits: 1 })
  })

  it('rejects by a signal that has aborted, whatever is in memory', async () => {
    const cache = await near()
    await put({ a: 1 })
    expect(await cache.get('a')).toBe(1)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(cache.getOrLoad('a', fail, { signal })).rejects.toThrow('enough')
    expect(await isRead(cache, 'a')).toBe(true)
  })

  it('serves what it has loaded, and that there is no value', async () => {
    const cache = await near({}, { negativeTtlMs: LONG_MS })
    await cache.getOrLoad('a', () => 1)
    await cache.getOrLoad('b', () => undefined)
    expect(await cache.getOrLoad('a', fail)).toBe(1)
    expect(await cache.getOrLoad('b', fail)).toBeUndefined()
    expect(await cache.has('b')).toBe(false)
    expect(cache.stats).toMatchObject({ localHits: 3, loads: 2 })
  })

  const changes: readonly [string, (cache: RCache<unknown>) => Promise<unknown>, unknown][] = [
    ['set', (cache) => cache.set('a', 'new'), 'new'],
    ['setMany', (cache) => cache.setMany({ a: 'new' }), 'new'],
    ['delete', (cache) => cache.delete('a'), undefined],
    ['deleteMany', (cache) => cache.deleteMany(['a']), undefined],
    ['deleteTag', (cache) => cache.deleteTag('t'), undefined],
    ['expireTag', (cache) => cache.expireTag('t'), undefined],
    ['clear', (cache) => cache.clear(), undefined],
  ]

  it.each(changes)('drops what another client changes by %s()', async (_, change, value) => {
    const cache = await near()
    await far().set('a', 'old', { tags: ['t'] })
    expect(await cache.get('a')).toBe('old')
    await change(far())
    await eventually(async () => (await cache.get('a')) === value)
  })

  it.each(changes)('serves nothing old after its own %s()', async (_, change, value) => {
    const cache = await near()
    await cache.set('a', 'old', { tags: ['t'] })
    expect(await cache.get('a')).toBe('old')
    expect(await cache.get('a')).toBe('old')
    await change(cache)
    expect(await cache.get('a')).toBe(value)
  })

  it('drops what another process has loaded anew', async () => {
    const cache = await near()
    await far().set('a', 'old', { ttlMs: 1, staleMs: LONG_MS })
    await cache.set('a', 'mine')
    expect(await cache.get('a')).toBe('mine')
    await far().deleteTag('t')
    await far().delete('a')
    await far().getOrLoad('a', () => 'new')
    await eventually(async () => (await cache.get('a')) === 'new')
  })

  it('keeps no entry longer than its time', async () => {
    const cache = await near({ ttlMs: 30 })
    await cache.getOrLoad('a', () => 1)
    await eventually(async () => !(await isRead(cache, 'a')))
    expect(cache.stats.remoteHits).toBe(1)
  })

  it('keeps no entry longer than it is fresh in Redis', async () => {
    const cache = await near({}, { ttlMs: 30 })
    await cache.getOrLoad('a', () => 1)
    await eventually(async () => (await cache.get('a')) === undefined)
  })

  it('drops the entries that were used least lately', async () => {
    const cache = await near({ maxEntries: 2 })
    await put({ a: 1, b: 2, c: 3 })
    for (const key of ['a', 'b', 'a', 'c']) await cache.get(key)
    expect(await isRead(cache, 'a')).toBe(true)
    expect(await isRead(cache, 'c')).toBe(true)
    expect(await isRead(cache, 'b')).toBe(false)
  })

  it('does not keep what was changed while it was read', async () => {
    const cache = await near()
    await far().set('a', 'old')
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    strike(door.proxies, scripts.read.sha, ['is answered late', 'reply', () => (isAsked(), promise)])
    const reading = cache.get('a')
    await asked
    await far().set('a', 'new')
    await cache.get('other') // the message has arrived before, or comes soon
    letGo()
    await reading
    await eventually(async () => (await cache.get('a')) === 'new')
  })

  it('does not keep what was changed while it was loaded', async () => {
    const cache = await near()
    const { loader, begun, letGo } = held('old')
    const call = cache.getOrLoad('a', loader)
    await begun
    await far().delete('a')
    letGo()
    expect(await call).toBe('old')
    expect(await cache.get('a')).toBeUndefined()
  })

  it('drops all after an interruption, in which messages may be missed', async () => {
    const cache = await near()
    await far().set('a', 'old')
    expect(await cache.get('a')).toBe('old')
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await far().set('a', 'new')
    await Promise.all(door.proxies.map((proxy) => proxy.accept()))
    await eventually(async () => (await cache.get('a')) === 'new')
  })

  it.each([0, LONG_MS])('knows times of tags for %i ms', async (tagTtlMs) => {
    const cache = await near({ tagTtlMs })
    await far().set('a', 'old', { tags: ['t'] })
    expect(await cache.get('a')).toBe('old')
    await cache.deleteTag('t')
    expect(await cache.get('a')).toBeUndefined()
    await far().set('a', 'new', { tags: ['t'] })
    await eventually(async () => (await cache.get('a')) === 'new')
  })

  it('keeps what was read for no longer than the times of its tags', async () => {
    const cache = await near()
    await put({ a: 1, b: 1 })
    const fill = vi.spyOn(LocalLevel.prototype, 'fill')
    try {
      await cache.get('a')
      await cache.get('b')
      await cache.getOrLoad('c', () => 1)
      const [first, ...others] = fill.mock.calls.map(([, , { knownAt }]) => knownAt)
      expect(others).toEqual([first, first])
    } finally {
      fill.mockRestore()
    }
  })

  it('asks Redis for the times of tags at each read, if it is to', async () => {
    const cache = await near({ tagTtlMs: 0, maxEntries: 1 })
    await far().set('a', 'old', { tags: ['t'] })
    expect(await cache.get('a')).toBe('old')
    await put({ b: 1 })
    await cache.get('b') // so that `a` is not in memory
    await far().deleteTag('t')
    expect(await cache.get('a')).toBeUndefined()
  })

  it('listens no more when it is destroyed, and begins anew', async () => {
    const cache = await near()
    await put({ a: 1 })
    await cache.get('a')
    cache.destroy()
    expect(await isRead(cache, 'a')).toBe(false)
    expect(await isRead(cache, 'a')).toBe(true)
  })

  it('serves from memory while Redis is down', async () => {
    const cache = await near({}, { redisTimeoutMs: 100 })
    await put({ a: 1 })
    await cache.get('a')
    for (const proxy of door.proxies) proxy.stall()
    expect(await cache.getOrLoad('a', fail)).toBe(1)
    expect(await cache.getOrLoad('b', () => 2)).toBe(2)
    expect(await cache.getOrLoad('b', fail)).toBe(2)
  })
})
