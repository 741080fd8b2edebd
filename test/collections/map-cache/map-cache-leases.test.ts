import { describe, expect, it } from 'vitest'
import { bytesCodec, NotInBatchError, stringCodec, type RMapCache } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { CacheLook } from './cache-look.js'

/** So long that no test waits for its end. */
const LEASE_MS = 600_000

const LIFE = { ttlMs: 60_000, maxIdleMs: 30_000 }

describe.each(slottedTopologies)('the leases of a map cache ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new CacheLook(topology)
  let names = 0

  const leaseOf = (name: string, key: string) =>
    `redisson__map__lease:${name.includes('{') ? name : `{${name}}`}:${key}`

  const tokenAt = (name: string, key: string) => look.ask(name, 'GET', leaseOf(name, key))

  const withCache = async (
    use: (cache: RMapCache<string, unknown>, name: string) => Promise<void>,
    name = `leases-${topology.kind}-${String(names++)}`,
  ) => {
    const cache = clients.mine.getMapCache(name)
    try {
      await use(cache, name)
      await look.demandSound(name)
    } finally {
      await cache.delete()
      for (const key of ['k', 'é']) await look.ask(name, 'DEL', leaseOf(name, key))
    }
  }

  /** A lease that a call has taken; returns its token. */
  const taken = async (cache: RMapCache<string, unknown>, key = 'k'): Promise<string> => {
    const { isLeaseAcquired, leaseToken = '' } = await cache.getWithLease(key, LEASE_MS)
    expect(isLeaseAcquired).toBe(true)
    return leaseToken
  }

  it.each(['{braces}:leases', 'a{b}c', 'имя', 'plain-leases'])(
    'are given to one caller, of a cache called %s',
    async (at) => {
      await withCache(async (cache, name) => {
        const first = await cache.getWithLease('é', LEASE_MS)
        expect(first).toEqual({
          value: undefined,
          isLeaseAcquired: true,
          leaseToken: expect.stringMatching(/^[0-9a-f]{32}:2$/) as string,
        })
        expect(await tokenAt(name, 'é')).toBe(first.leaseToken)
        const left = Number(await look.ask(name, 'PTTL', leaseOf(name, 'é')))
        expect(left).toBeGreaterThan(LEASE_MS - 60_000)
        expect(left).toBeLessThanOrEqual(LEASE_MS)
        const other = clients.other.getMapCache(name)
        expect(await other.getWithLease('é', LEASE_MS)).toEqual({ ...first, isLeaseAcquired: false })
        expect(await cache.putWithLease('é', 1, first.leaseToken ?? '', LIFE)).toBe(true)
        expect(await tokenAt(name, 'é')).toBeNull()
        expect(await other.getWithLease('é', LEASE_MS)).toEqual({
          value: 1,
          isLeaseAcquired: false,
          leaseToken: undefined,
        })
        await look.expectEnds(name, 'é', LIFE)
      }, at)
    },
  )

  it('are of one key each', async () => {
    await withCache(async (cache) => {
      const tokens = [await taken(cache), await taken(cache, 'é')]
      expect(new Set(tokens).size).toBe(2)
      expect(await cache.putWithLease('k', 1, tokens[1] ?? '')).toBe(false)
      expect(await cache.putWithLease('é', 2, tokens[1] ?? '')).toBe(true)
      expect(await cache.readAllMap()).toEqual(new Map([['é', 2]]))
    })
  })

  it('are of one map each, although Redisson has one key for the leases of both entries', async () => {
    await withCache(async (prices, name) => {
      const eu = clients.other.getMapCache(`${name}:eu`)
      const token = await taken(eu, 'k')
      expect(await prices.getWithLease('eu:k', LEASE_MS)).toEqual({
        value: undefined,
        isLeaseAcquired: false,
        leaseToken: token,
      })
      expect(await prices.putWithLease('eu:k', 'of another lease', token)).toBe(false)
      expect(await prices.put('eu:k', 7)).toBeUndefined()
      expect(await prices.putIfAbsent('eu:k', 8)).toBe(7)
      expect(await prices.removeWithLease('eu:k')).toBe(true)
      expect((await eu.getWithLease('k', LEASE_MS)).isLeaseAcquired).toBe(false)
      expect(await eu.putWithLease('k', 'loaded', token)).toBe(true)
      await taken(prices, 'eu:k')
      expect(await eu.removeWithLease('k')).toBe(true)
      expect(await tokenAt(name, 'eu:k')).not.toBeNull()
      expect(await prices.removeWithLease('eu:k')).toBe(false)
      expect(await tokenAt(name, 'eu:k')).toBeNull()
      await eu.delete()
    }, `{braces-${topology.kind}}:prices`)
  })

  it('end by a change of either entry where a client in Java has them: its tokens name none', async () => {
    await withCache(async (prices, name) => {
      await look.ask(name, 'SET', leaseOf(name, 'eu:k'), '0123456789abcdef0123456789abcdef')
      await clients.other.getMapCache(`${name}:eu`).put('k', 1)
      expect(await tokenAt(name, 'eu:k')).toBeNull()
      await taken(prices, 'eu:k')
      await prices.removeWithLease('eu:k')
      await clients.other.getMapCache(`${name}:eu`).delete()
    }, `{braces-${topology.kind}}:prices`)
  })

  it('are given where the entry has ended, and begin the idle time of one that has not', async () => {
    await withCache(async (cache, name) => {
      await cache.put('k', 1, { maxIdleMs: 60_000 })
      await look.endSoon(name, 'k')
      expect((await cache.getWithLease('k', LEASE_MS)).value).toBe(1)
      await look.expectEnds(name, 'k', { maxIdleMs: 60_000 })
      await look.end(name, ['k'])
      const token = await taken(cache)
      expect(await cache.putWithLease('k', 2, token)).toBe(true)
      expect(await cache.remainTimeToLive('k')).toBe(-1)
    })
  })

  it('end with a value that another has put, which stays', async () => {
    await withCache(async (cache) => {
      const token = await taken(cache)
      await clients.other.getMapCache(cache.name).put('k', 'newer')
      expect(await cache.putWithLease('k', 'late', token)).toBe(false)
      expect(await cache.get('k')).toBe('newer')
    })
  })

  it('end when the entry is removed, so that what was loaded before is not set', async () => {
    await withCache(async (cache, name) => {
      const token = await taken(cache)
      expect(await clients.other.getMapCache(cache.name).removeWithLease('k')).toBe(false)
      expect(await tokenAt(name, 'k')).toBeNull()
      expect(await cache.putWithLease('k', 'late', token)).toBe(false)
      const next = await taken(cache)
      expect(await cache.putWithLease('k', 'late', token)).toBe(false)
      expect(await cache.putWithLease('k', 'fresh', next)).toBe(true)
      expect(await cache.removeWithLease('k')).toBe(true)
      expect(await cache.removeWithLease('k')).toBe(false)
    })
  })

  it('do not count an entry that has ended as removed', async () => {
    await withCache(async (cache, name) => {
      await cache.put('k', 1, LIFE)
      await look.end(name, ['k'])
      expect(await cache.removeWithLease('k')).toBe(false)
    })
  })

  it('keep to the limit of the cache', async () => {
    await withCache(async (cache) => {
      await cache.setMaxSize(1)
      await cache.put('old', 1)
      expect(await cache.putWithLease('k', 2, await taken(cache))).toBe(true)
      expect(await cache.readAllKeySet()).toEqual(['k'])
    })
  })

  it('are of keys that are any bytes', async () => {
    const key = Uint8Array.of(0, 255, 123)
    const name = `leases-${topology.kind}-bytes`
    const cache = clients.mine.getMapCache<Uint8Array, string>(name, {
      codec: { key: bytesCodec(), value: stringCodec() },
    })
    const { leaseToken = '' } = await cache.getWithLease(key, LEASE_MS)
    expect((await cache.getWithLease(key, LEASE_MS)).isLeaseAcquired).toBe(false)
    expect(await cache.putWithLease(key, 'v', leaseToken)).toBe(true)
    expect((await cache.getWithLease(key, LEASE_MS)).value).toBe('v')
    await cache.delete()
  })

  it('refuse what they cannot do, and send nothing', async () => {
    await withCache(async (cache, name) => {
      await expect(cache.getWithLease('k', 0)).rejects.toThrow(RangeError)
      await expect(cache.getWithLease('k', -1)).rejects.toThrow('`leaseMs`')
      await expect(cache.getWithLease('k', '5' as never)).rejects.toThrow(RangeError)
      await expect(cache.putWithLease('k', 1, '')).rejects.toThrow('Expected `leaseToken` to be a non-empty')
      await expect(cache.putWithLease('k', undefined, 'token')).rejects.toThrow(TypeError)
      await expect(cache.putWithLease('k', 1, 'token', { ttlMs: -1 })).rejects.toThrow(RangeError)
      expect(await look.keys(name)).toEqual([])
      expect(await tokenAt(name, 'k')).toBeNull()
    })
  })

  it('are put and removed in a batch, and not taken there', async () => {
    await withCache(async (cache) => {
      const token = await taken(cache)
      const results = await clients.mine.batch((batch) => [
        batch.getMapCache(cache.name).putWithLease('k', 1, token),
        batch.getMapCache(cache.name).removeWithLease('k'),
      ])
      expect(results).toEqual([true, true])
      await expect(
        clients.mine.batch((batch) => [batch.getMapCache(cache.name).getWithLease('k', LEASE_MS)]),
      ).rejects.toThrow(NotInBatchError)
    })
  })
})
