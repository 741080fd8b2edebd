import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  compressed,
  jsonCodec,
  stringCodec,
  type CacheOptions,
  type Codec,
  type RCache,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { held } from './held.js'
import { untilListening } from './listeners.js'

const LONG_MS = 600_000
const STALE = { ttlMs: 1, staleMs: LONG_MS, redisTimeoutMs: 20_000 }

/** So early that chance does not matter. */
const AT_ONCE = Number.MAX_SAFE_INTEGER

const fail = () => {
  throw new Error('it failed')
}

describe.each(slottedTopologies)('a cache whose entries are refreshed ($kind)', (topology) => {
  let names = 0
  let name = ''

  noLeaks(topology, { except: /cache-\d+/ })
  const clients = twoClients(topology)

  beforeEach(() => {
    name = `cache-${String(names++)}`
  })

  const of = (client: 'mine' | 'other', options: CacheOptions<unknown> = {}): RCache<unknown> =>
    clients[client].getCache(name, { ...STALE, ...options })
  const mine = (options?: CacheOptions<unknown>) => of('mine', options)
  const other = (options?: CacheOptions<unknown>) => of('other', options)
  const ask = (key: string, command: string) => askOwner(topology, `${name}:{${key}}`, command)

  /** Makes an entry that is stale. */
  const stale = async (value: unknown) => {
    await mine().set('a', value)
    await eventually(async () => Number(await ask('a', 'PTTL')) <= LONG_MS)
  }

  describe('with stale values', () => {
    it('returns the stale value at once while one process loads', async () => {
      await stale('old')
      const { loader, begun, letGo } = held('new')
      expect(await mine().getOrLoad('a', loader)).toBe('old')
      await begun
      expect(await other().getOrLoad('a', fail)).toBe('old')
      expect(await mine().getOrLoad('a', fail)).toBe('old')
      expect(loader).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ previous: 'old' }))
      letGo()
      await eventually(async () => (await other({ ttlMs: LONG_MS }).getOrLoad('a', () => 'new')) === 'new')
      expect(mine().stats.staleHits).toBe(2)
    })

    it('keeps the stale value where the loader throws, and says so by an event', async () => {
      await stale('old')
      const cache = mine()
      const failed = new Promise((resolve) => cache.on('loadFailed', resolve))
      expect(await cache.getOrLoad('a', fail)).toBe('old')
      expect(await failed).toEqual({ key: 'a', error: new Error('it failed') })
      await eventually(async () => (await ask('a', 'EXISTS')) === 1)
      expect(await other().getOrLoad('a', fail)).toBe('old')
    })

    it('waits for the load until the soft timeout', async () => {
      await stale('old')
      expect(await mine({ softTimeoutMs: 20_000, ttlMs: LONG_MS }).getOrLoad('a', () => turn('new'))).toBe(
        'new',
      )
      expect(await other().get('a')).toBe('new')
    })

    it('returns the stale value at the soft timeout', async () => {
      await stale('old')
      const { loader, begun, letGo } = held('new')
      const call = mine({ softTimeoutMs: 30, ttlMs: LONG_MS }).getOrLoad('a', loader)
      await begun
      const waiting = other({ softTimeoutMs: 30 }).getOrLoad('a', fail)
      expect(await call).toBe('old')
      expect(await waiting).toBe('old')
      letGo()
      await eventually(async () => (await mine().get('a')) === 'new')
    })

    it('returns the stale value where the loader throws before the soft timeout', async () => {
      await stale('old')
      expect(await mine({ softTimeoutMs: 20_000 }).getOrLoad('a', fail)).toBe('old')
    })

    it('returns what another process has loaded before the soft timeout', async () => {
      await stale('old')
      const { loader, begun, letGo } = held('new')
      const call = mine({ softTimeoutMs: 20_000, ttlMs: LONG_MS }).getOrLoad('a', loader)
      await begun
      const waiting = other({ softTimeoutMs: 20_000 }).getOrLoad('a', fail)
      await untilListening(topology, name)
      letGo()
      expect(await Promise.all([call, waiting])).toEqual(['new', 'new'])
    })

    it('removes the entry where there is no value any more', async () => {
      await stale('old')
      expect(await mine({ softTimeoutMs: 20_000 }).getOrLoad('a', () => undefined)).toBeUndefined()
      expect(await ask('a', 'EXISTS')).toBe(0)
    })

    it('ends with both of its times', async () => {
      await mine({ ttlMs: 10, staleMs: 10 }).set('a', 'old')
      await eventually(async () => (await ask('a', 'EXISTS')) === 0)
      expect(await mine().getOrLoad('a', () => 'new')).toBe('new')
    })
  })

  describe('early', () => {
    it('loads before the entry ends, and returns what is there', async () => {
      const cache = mine({ ttlMs: LONG_MS })
      // What took no time is never loaded early.
      expect(await cache.getOrLoad('a', () => sleep(20, 'old'))).toBe('old')
      const { loader, begun, letGo } = held('new')
      expect(await cache.getOrLoad('a', loader, { earlyRefresh: AT_ONCE })).toBe('old')
      await begun
      expect(await other().getOrLoad('a', fail, { earlyRefresh: AT_ONCE })).toBe('old')
      letGo()
      await eventually(async () => (await other().get('a')) === 'new')
    })

    it('does not load an entry that is far from its end', async () => {
      const cache = mine({ ttlMs: LONG_MS, earlyRefresh: 1 })
      await cache.getOrLoad('a', () => 'old')
      for (let times = 0; times < 20; times += 1) expect(await cache.getOrLoad('a', fail)).toBe('old')
      expect(cache.stats).toMatchObject({ loads: 1, remoteHits: 20, misses: 1 })
    })
  })

  describe('with tags', () => {
    const TAGGED = { ttlMs: LONG_MS, tags: ['t:1', 't:2'] }

    it('has no entry of a tag that was deleted', async () => {
      await mine().set('a', 1, TAGGED)
      await mine().set('b', 2, { ttlMs: LONG_MS, tags: ['t:2'] })
      await mine().set('c', 3, { ttlMs: LONG_MS })
      await other().deleteTag('t:1')
      expect(await other().getMany(['a', 'b', 'c'])).toEqual(
        new Map([
          ['b', 2],
          ['c', 3],
        ]),
      )
      expect(await mine().getOrLoad('a', () => 4, TAGGED)).toBe(4)
      expect(await other().get('a')).toBe(4)
      await other().deleteTag('t:2')
      expect(await mine().getMany(['a', 'b', 'c'])).toEqual(new Map([['c', 3]]))
    })

    it('knows tags of the entry that the call does not name', async () => {
      await mine().set('a', 1, TAGGED)
      await other().deleteTag('t:2')
      expect(await mine().getOrLoad('a', () => 4)).toBe(4)
    })

    it('deletes in the same millisecond', async () => {
      for (let times = 0; times < 30; times += 1) {
        await mine().set('a', times, TAGGED)
        expect(await other().get('a')).toBe(times)
        await other().deleteTag('t:1')
        expect(await mine().get('a')).toBeUndefined()
      }
    })

    it('makes what was expired stale, which is returned while one process loads', async () => {
      await mine().set('a', 'old', TAGGED)
      await other().expireTag('t:1')
      expect(await mine().get('a')).toBeUndefined()
      const { loader, begun, letGo } = held('new')
      expect(await mine().getOrLoad('a', loader, TAGGED)).toBe('old')
      await begun
      expect(await other().getOrLoad('a', fail, TAGGED)).toBe('old')
      letGo()
      await eventually(async () => (await other().get('a')) === 'new')
    })

    it('makes what was expired old where nothing stale is kept', async () => {
      await mine().set('a', 'old', { ...TAGGED, staleMs: 0 })
      await other().expireTag('t:1')
      expect(await mine().getOrLoad('a', () => 'new', TAGGED)).toBe('new')
    })

    it.each(['deleteTag', 'clear'] as const)('does not keep what began to load before %s()', async (how) => {
      const { loader, begun, letGo } = held('old')
      const call = mine().getOrLoad('a', loader, TAGGED)
      await begun
      if (how === 'clear') await other().clear()
      else await other().deleteTag('t:1')
      letGo()
      expect(await call).toBe('old')
      expect(await other().get('a')).toBeUndefined()
      expect(await mine().getOrLoad('a', () => 'new', TAGGED)).toBe('new')
      expect(await other().get('a')).toBe('new')
    })

    it('has calls after deleteTag() of the same process load anew', async () => {
      const { loader, begun, letGo } = held('old')
      const first = mine().getOrLoad('a', loader, TAGGED)
      await begun
      await mine().deleteTag('t:1')
      const second = mine().getOrLoad('a', () => 'new', TAGGED)
      letGo()
      expect(await Promise.all([first, second])).toEqual(['old', 'new'])
    })

    it.each(['deleteTag', 'expireTag', 'clear'] as const)(
      'has calls after %s() of another process load anew, and not wait for what was begun before',
      async (what) => {
        const options = { ...TAGGED, staleMs: 0 }
        const { loader, begun, letGo } = held('old')
        const first = mine().getOrLoad('a', loader, options)
        await begun
        await (what === 'clear' ? other().clear() : other()[what]('t:1'))
        expect(await mine().getOrLoad('a', () => 'new')).toBe('new')
        letGo()
        expect(await first).toBe('old')
        expect(await other().getOrLoad('a', fail)).toBe('new')
      },
    )

    it.each(['deleteTag', 'clear'] as const)(
      'does not take it from a load that began before %s() that there is no value',
      async (what) => {
        const { loader, begun, letGo } = held(undefined)
        const first = mine().getOrLoad('a', loader, TAGGED)
        await begun
        await (what === 'clear' ? other().clear() : other()[what]('t:1'))
        const second = other().getOrLoad('a', () => 'new')
        await untilListening(topology, name)
        letGo()
        expect(await Promise.all([first, second])).toEqual([undefined, 'new'])
      },
    )

    it('bounds the times of entries with tags', async () => {
      await mine().set('a', 1, { ttlMs: 0, staleMs: 0, tags: ['t:1'] })
      expect(Number(await ask('a', 'PTTL'))).toBeLessThanOrEqual(31 * 86_400_000)
      expect(Number(await ask('a', 'PTTL'))).toBeGreaterThan(30 * 86_400_000)
    })
  })

  describe('around a function', () => {
    it('keeps what the function has returned, by key', async () => {
      const fn = vi.fn((a: number, b: number) => Promise.resolve(a + b))
      const sum = mine({ ttlMs: LONG_MS }).wrap(fn, { key: (a, b) => `${String(a)}+${String(b)}` })
      expect([await sum(1, 2), await sum(1, 2), await sum(2, 1)]).toEqual([3, 3, 3])
      expect(fn).toHaveBeenCalledTimes(2)
      expect(await other().get('1+2')).toBe(3)
    })

    it('passes `this` to the function', async () => {
      const cache = mine({ ttlMs: LONG_MS })
      const shop = {
        rate: 2,
        price: cache.wrap(
          function (this: { readonly rate: number }, n: number) {
            return n * this.rate
          },
          { key: String },
        ),
      }
      expect(await shop.price(3)).toBe(6)
    })

    it('rejects with what the function throws', async () => {
      const cache = mine()
      await expect(cache.wrap(fail, { key: () => 'a' })()).rejects.toThrow('it failed')
      expect(() => cache.wrap(fail, { key: () => 'a', ttl: 1 } as never)).toThrow(/ttlMs/)
    })
  })

  it('counts what it has done', async () => {
    const cache = mine({ ttlMs: LONG_MS })
    const loaded = vi.fn()
    cache.on('loaded', loaded)
    await Promise.all([cache.getOrLoad('a', () => 1), cache.getOrLoad('a', () => 1)])
    await cache.getOrLoad('a', fail)
    await cache.get('a')
    await cache.get('b')
    await cache.getOrLoad('c', fail).catch(() => undefined)
    expect(cache.stats).toEqual({
      localHits: 0,
      remoteHits: 2,
      staleHits: 0,
      misses: 4,
      loads: 2,
      loadErrors: 1,
      coalesced: 1,
    })
    expect(loaded).toHaveBeenCalledExactlyOnceWith({ key: 'a', elapsedMs: expect.any(Number) as number })
    cache.off('loaded', loaded)
    const once = vi.fn()
    cache.once('loaded', once)
    await cache.getOrLoad('d', () => 1)
    await cache.getOrLoad('e', () => 1)
    expect(loaded).toHaveBeenCalledTimes(1)
    expect(once).toHaveBeenCalledTimes(1)
  })

  it('is the same object for the same name and options', () => {
    expect(mine()).toBe(mine())
    expect(mine({ tags: ['a'] })).toBe(mine({ tags: ['a'] }))
    expect(mine({ tags: ['a'] })).not.toBe(mine({ tags: ['b'] }))
    expect(mine({ ttlMs: 2 })).not.toBe(mine())
    expect(other()).not.toBe(mine())
  })

  it('is the same object for the same codec or schema', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
    } as const
    const codec = compressed(jsonCodec(), 'gzip')
    expect(mine({ codec: schema })).toBe(mine({ codec: schema }))
    expect(mine({ codec: schema, validate: 'write' })).toBe(mine({ codec: schema }))
    expect(mine({ codec: schema, validate: 'both' })).not.toBe(mine({ codec: schema }))
    expect(mine({ codec: { ...schema } })).not.toBe(mine({ codec: schema }))
    expect(mine({ codec })).toBe(mine({ codec }))
    expect(mine({ codec: jsonCodec() })).toBe(mine({ codec: jsonCodec() }))
    expect(mine({ codec: stringCodec() as Codec<unknown> })).not.toBe(mine({ codec: jsonCodec() }))
  })
})
