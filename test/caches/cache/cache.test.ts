import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CacheTimeoutError, type CacheOptions, type RCache } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { held } from './held.js'
import { untilListening } from './listeners.js'

const LONG_MS = 600_000
/** No machine is so busy that Redis counts as down by mistake. */
const REDIS = { redisTimeoutMs: 20_000 }

const fail = () => {
  throw new Error('it failed')
}

describe.each(slottedTopologies)('a cache ($kind)', (topology) => {
  let names = 0
  let name = ''

  noLeaks(topology, { except: /cache-\d+/ })
  const clients = twoClients(topology)

  beforeEach(() => {
    name = `cache-${String(names++)}`
  })

  const of = (client: 'mine' | 'other', options: CacheOptions<unknown> = {}): RCache<unknown> =>
    clients[client].getCache(name, { ttlMs: LONG_MS, ...REDIS, ...options })
  const mine = (options?: CacheOptions<unknown>) => of('mine', options)
  const other = (options?: CacheOptions<unknown>) => of('other', options)
  const ask = (key: string, command: string, ...args: (string | number)[]) =>
    askOwner(topology, `${name}:{${key}}`, command, ...args)

  describe('of entries', () => {
    it('stores, returns and removes a value', async () => {
      expect(await mine().get('a')).toBeUndefined()
      expect(await mine().has('a')).toBe(false)
      await mine().set('a', { id: 1 })
      expect(await other().get('a')).toEqual({ id: 1 })
      expect(await other().has('a')).toBe(true)
      expect(await mine().delete('a')).toBe(true)
      expect(await mine().delete('a')).toBe(false)
      expect(await other().get('a')).toBeUndefined()
    })

    it('keeps null, false, 0 and an empty text as values', async () => {
      for (const value of [null, false, 0, '']) {
        await mine().set('a', value)
        expect(await other().get('a')).toBe(value)
        expect(await other().has('a')).toBe(true)
      }
    })

    it('has an entry end with its time', async () => {
      await mine({ ttlMs: 30 }).set('a', 1)
      expect(Number(await ask('a', 'PTTL'))).toBeLessThanOrEqual(30)
      await eventually(async () => (await mine().get('a')) === undefined)
    })

    it('keeps an entry without a time until it is removed', async () => {
      await mine({ ttlMs: 0 }).set('a', 1)
      expect(await ask('a', 'PTTL')).toBe(-1)
      expect(await other().get('a')).toBe(1)
      await ask('a', 'DEL')
    })

    it('takes the time of the call before that of the cache', async () => {
      await mine().set('a', 1, { ttlMs: 1000, staleMs: 500 })
      const leftMs = Number(await ask('a', 'PTTL'))
      expect(leftMs).toBeGreaterThan(1000)
      expect(leftMs).toBeLessThanOrEqual(1500)
    })

    it('returns nothing stale where nothing loads', async () => {
      await mine({ ttlMs: 1, staleMs: LONG_MS }).set('a', 1)
      await eventually(async () => (await mine().get('a')) === undefined)
      expect(await mine().has('a')).toBe(false)
      expect(await mine().delete('a')).toBe(true)
    })

    it('stores, returns and removes many', async () => {
      const values = new Map(Array.from({ length: 2500 }, (_, index) => [`k${String(index)}`, index]))
      await mine().setMany(values)
      expect(await other().getMany([...values.keys(), 'none'])).toEqual(values)
      expect(await other().deleteMany([...values.keys(), 'none'])).toBe(2500)
      expect(await mine().getMany(values.keys())).toEqual(new Map())
    })

    it('takes a plain object of many, and nothing of none', async () => {
      await mine().setMany({ a: 1, ['__proto__']: 2 })
      await mine().setMany([])
      expect(await other().getMany(new Set(['a', '__proto__']))).toEqual(
        new Map([
          ['a', 1],
          ['__proto__', 2],
        ]),
      )
      expect(await mine().deleteMany([])).toBe(0)
    })

    it('has no entry in common with another cache', async () => {
      const inner = clients.mine.getCache(`${name}:{a}:b`)
      await inner.set('c', 1)
      expect(await mine().get('a}:b:{c')).toBeUndefined()
      await mine().set('}', 1)
      expect(await mine().get('%7D')).toBeUndefined()
    })

    it('has no name whose keys are the times of others', () => {
      for (const reserved of ['ioredisson_cache_clear', 'ioredisson_cache_clear:{a}'])
        expect(() => clients.mine.getCache(reserved)).toThrow(RangeError)
      expect(clients.mine.getCache('ioredisson_cache_clearing').name).toBe('ioredisson_cache_clearing')
    })

    it('clears all entries at once', async () => {
      await mine().setMany({ a: 1, b: 2 })
      await other().clear()
      expect(await mine().getMany(['a', 'b'])).toEqual(new Map())
      await mine().set('a', 3)
      expect(await other().get('a')).toBe(3)
    })

    it('removes an entry without a time that was cleared, when it is read', async () => {
      const cache = mine({ ttlMs: 0 })
      await cache.setMany({ a: 1, b: 2 })
      await cache.clear()
      expect(await other().get('a')).toBeUndefined()
      await eventually(async () => (await ask('a', 'EXISTS')) === 0)
      expect(await ask('b', 'EXISTS')).toBe(1)
      expect(await mine().getOrLoad('b', () => undefined)).toBeUndefined()
      expect(await ask('b', 'EXISTS')).toBe(0)
    })

    it('takes any text as a key', async () => {
      for (const key of [
        'ключ',
        'a b',
        'a\nb',
        '{a}',
        'a:{b',
        'x'.repeat(5000),
        '__proto__',
        '}',
        '%7D',
        ':{',
        ':%7B',
      ]) {
        await mine().set(key, key)
        expect(await other().get(key)).toBe(key)
        expect(await mine().getOrLoad(key, fail)).toBe(key)
        await mine().delete(key)
      }
    })

    it.each(['{tag}:cache-99', 'in {cache-99} slot', 'Кэш cache-99'])('takes the name %s', async (named) => {
      const cache = clients.mine.getCache(named)
      await cache.set('a', 1, { tags: ['t'] })
      expect(await clients.other.getCache(named).get('a')).toBe(1)
      await cache.deleteTag('t')
      expect(await cache.get('a')).toBeUndefined()
      await cache.clear()
    })
  })

  describe('that loads', () => {
    it('loads what is not there, and stores it', async () => {
      const loader = vi.fn(() => 7)
      expect(await mine().getOrLoad('a', loader)).toBe(7)
      expect(await other().getOrLoad('a', fail)).toBe(7)
      expect(loader).toHaveBeenCalledExactlyOnceWith({
        key: 'a',
        signal: expect.any(AbortSignal) as AbortSignal,
        previous: undefined,
      })
    })

    it('loads once for all calls of all clients', async () => {
      const { loader, begun, letGo } = held(7)
      const calls = Array.from({ length: 50 }, (_, index) =>
        of(index % 2 === 0 ? 'mine' : 'other').getOrLoad('a', loader),
      )
      await begun
      const later = mine().getOrLoad('a', fail)
      await untilListening(topology, name)
      letGo()
      expect(new Set(await Promise.all([...calls, later]))).toEqual(new Set([7]))
      expect(loader).toHaveBeenCalledTimes(1)
      expect(mine().stats.loads + other().stats.loads).toBeGreaterThanOrEqual(1)
    })

    it('rejects all calls of the process with the error of the loader, and loads again', async () => {
      const { loader, begun, fail: failNow } = held(7)
      const calls = Array.from({ length: 5 }, () => mine().getOrLoad('a', loader))
      await begun
      failNow(new Error('it failed'))
      const outcomes = await Promise.allSettled(calls)
      expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
      expect(loader).toHaveBeenCalledTimes(1)
      expect(await ask('a', 'EXISTS')).toBe(0)
      expect(await mine().getOrLoad('a', () => 8)).toBe(8)
    })

    it('has a call that waits for another process load where that one fails', async () => {
      const { loader, begun, fail: failNow } = held(7)
      const first = mine().getOrLoad('a', loader)
      await begun
      const second = other().getOrLoad('a', () => 8)
      await untilListening(topology, name)
      failNow(new Error('it failed'))
      await expect(first).rejects.toThrow('it failed')
      expect(await second).toBe(8)
    })

    it('rejects with what a loader throws at once', async () => {
      await expect(mine().getOrLoad('a', fail)).rejects.toThrow('it failed')
    })

    it('does not keep that there is no value', async () => {
      const loader = vi.fn(() => undefined)
      expect(await mine().getOrLoad('a', loader)).toBeUndefined()
      expect(await mine().getOrLoad('a', loader)).toBeUndefined()
      expect(loader).toHaveBeenCalledTimes(2)
      expect(await ask('a', 'EXISTS')).toBe(0)
    })

    it('loads once for calls that wait where there is no value', { tags: ['timed'] }, async () => {
      const { loader, begun, letGo } = held(undefined)
      const first = mine().getOrLoad('a', loader)
      await begun
      const second = other().getOrLoad('a', loader)
      await untilListening(topology, name)
      await sleep(100) // it looks once more then
      letGo()
      expect(await Promise.all([first, second])).toEqual([undefined, undefined])
      expect(loader).toHaveBeenCalledTimes(1)
    })

    it('keeps that there is no value for the time that was set', async () => {
      const options = { negativeTtlMs: LONG_MS }
      expect(await mine(options).getOrLoad('a', () => undefined)).toBeUndefined()
      expect(await other().getOrLoad('a', fail)).toBeUndefined()
      expect(await other().get('a')).toBeUndefined()
      expect(await other().has('a')).toBe(false)
      expect(await other().getMany(['a'])).toEqual(new Map())
      await mine().set('a', 1)
      expect(await other().get('a')).toBe(1)
    })

    it('shortens times by chance, by no more than their share', async () => {
      const cache = mine({ ttlMs: 100_000, jitter: 0.5 })
      const keys = Array.from({ length: 40 }, (_, index) => String(index))
      await cache.setMany(keys.map((key) => [key, 1] as const))
      const left = await Promise.all(keys.map(async (key) => Number(await ask(key, 'PTTL'))))
      expect(Math.min(...left)).toBeGreaterThan(45_000)
      expect(Math.max(...left)).toBeLessThanOrEqual(100_000)
      expect(new Set(left).size).toBeGreaterThan(20)
    })

    it('does not store what was begun before a delete', async () => {
      const { loader, begun, letGo } = held('old')
      const call = mine().getOrLoad('a', loader)
      await begun
      await other().delete('a')
      letGo()
      expect(await call).toBe('old')
      expect(await ask('a', 'EXISTS')).toBe(0)
      expect(await mine().getOrLoad('a', () => 'new')).toBe('new')
    })

    it('does not replace what was set while it loads', async () => {
      const { loader, begun, letGo } = held('old')
      const call = mine().getOrLoad('a', loader)
      await begun
      await other().set('a', 'new')
      letGo()
      expect(await call).toBe('old')
      expect(await mine().get('a')).toBe('new')
    })

    it.each(['mine', 'other'] as const)('loads anew for calls after a delete by %s', async (by) => {
      const { loader, begun, letGo } = held('old')
      const first = mine().getOrLoad('a', loader)
      await begun
      await of(by).delete('a')
      expect(await mine().getOrLoad('a', () => 'new')).toBe('new')
      letGo()
      expect(await first).toBe('old')
      expect(await other().get('a')).toBe('new')
    })

    it('ends the waiting of one call by its signal, and goes on', async () => {
      const { loader, begun, letGo } = held(7)
      const controller = new AbortController()
      const call = mine().getOrLoad('a', loader, { signal: controller.signal })
      await begun
      const waiting = other().getOrLoad('a', fail, { signal: controller.signal })
      controller.abort(new Error('enough'))
      await expect(call).rejects.toThrow('enough')
      await expect(waiting).rejects.toThrow('enough')
      letGo()
      await eventually(async () => (await mine().get('a')) === 7)
    })

    it('rejects at the hard timeout, and goes on', async () => {
      const { loader, begun, letGo } = held(7)
      const first = mine().getOrLoad('a', loader)
      await begun
      const call = mine().getOrLoad('a', fail, { hardTimeoutMs: 20 })
      await expect(call).rejects.toThrow(CacheTimeoutError)
      await expect(call).rejects.toMatchObject({ code: 'CACHE_TIMEOUT', cache: name, timeoutMs: 20 })
      letGo()
      expect(await first).toBe(7)
      expect(await other().get('a')).toBe(7)
    })

    it('renews the mark of a load that takes long', { tags: ['timed'] }, async () => {
      const { loader, begun, letGo } = held(7)
      const call = mine().getOrLoad('a', loader)
      await begun
      await sleep(7000)
      const second = other().getOrLoad('a', fail)
      await sleep(20)
      letGo()
      expect(await call).toBe(7)
      expect(await second).toBe(7)
    })

    it('reads what no cache has written as nothing', async () => {
      await ask('a', 'SET', 'text')
      expect(await mine().get('a')).toBeUndefined()
      expect(await mine().getOrLoad('a', () => 7)).toBe(7)
      expect(await other().get('a')).toBe(7)
    })

    it('loads anew what the codec cannot read, and get() throws', async () => {
      await mine().set('a', 1)
      const record = (await ask('a', 'GET')) as string
      await ask('a', 'SET', `${record.split('\n')[0] ?? ''}\n{`, 'PX', LONG_MS)
      await expect(mine().get('a')).rejects.toMatchObject({ code: 'CODEC' })
      expect(await mine().getOrLoad('a', () => 7)).toBe(7)
    })

    it('rejects where the codec cannot write the value, and another call loads', async () => {
      await expect(mine().getOrLoad('a', () => NaN)).rejects.toMatchObject({ code: 'CODEC' })
      expect(await mine().getOrLoad('a', () => 7)).toBe(7)
    })
  })
})
