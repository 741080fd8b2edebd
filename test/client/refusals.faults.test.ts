import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RLock } from '../../src/locks/shared/lock.api.js'
import type { RCountDownLatch } from '../../src/synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RSemaphore } from '../../src/synchronizers/semaphore/semaphore.api.js'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import { Redisson } from '../../src/client/redisson.js'
import { untilAwaited } from '../support/channels.js'
import { eventually } from '../support/eventually.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

const [server] = single.nodes

interface Objects {
  readonly semaphore: RSemaphore
  readonly permits: RPermitExpirableSemaphore
  readonly latch: RCountDownLatch
}

noLeaks(single, { except: /^redisson_lock_token:/ })

describe('a user who may not publish', () => {
  let client: RedissonClient
  let mine: Objects
  let names = 0

  beforeAll(async () => {
    await server.command('ACL', 'SETUSER', 'mute', 'reset', 'on', '>secret', '~*', '+@all')
    client = await Redisson.create(single.options({ username: 'mute', password: 'secret' }))
  })

  beforeEach(() => {
    const name = `mute-${String(names++)}`
    mine = {
      semaphore: client.getSemaphore(`${name}-semaphore`),
      permits: client.getPermitExpirableSemaphore(`${name}-permits`),
      latch: client.getCountDownLatch(`${name}-latch`),
    }
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await mine.semaphore.delete()
    await mine.permits.delete()
    await mine.latch.delete()
  })

  afterAll(async () => {
    await client.shutdown()
    await server.command('ACL', 'DELUSER', 'mute')
  })

  it('is warned, once', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    await mine.semaphore.release()
    await mine.semaphore.release()
    await mine.latch.trySetCount(1)
    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringMatching(/refused to publish at redisson_sc:.* `&redisson_\*`/),
        { code: 'REDISSON_PUBLISH_FORBIDDEN' },
      ],
    ])
  })

  it('sets, adds and gives back permits', async () => {
    const { semaphore } = mine
    expect(await semaphore.trySetPermits(2)).toBe(true)
    await semaphore.acquire(2)
    await semaphore.release()
    await semaphore.addPermits(3)
    expect(await semaphore.releaseIfExists()).toBe(true)
    expect(await semaphore.availablePermits()).toBe(5)
  })

  it('sets, adds and gives back permits that can expire', async () => {
    const { permits } = mine
    expect(await permits.trySetPermits(2)).toBe(true)
    const [first = '', second = ''] = await permits.acquireMany(2)
    await permits.release(first)
    expect(await permits.tryRelease(second)).toBe(true)
    await permits.addPermits(1)
    expect(await permits.availablePermits()).toBe(3)
    await permits.setPermits(5)
    expect(await permits.availablePermits()).toBe(5)
  })

  it('finds a permit free again whose lease has ended', async () => {
    const { permits } = mine
    await permits.trySetPermits(1)
    await permits.acquire(50)
    await eventually(async () => (await permits.availablePermits()) === 1)
    expect(await permits.acquiredPermits()).toBe(0)
  })

  it('takes no permit for a caller who gives up', async () => {
    const { semaphore, permits } = mine
    await semaphore.trySetPermits(1)
    await permits.trySetPermits(1)
    const giveUp = new AbortController()
    const { signal } = giveUp
    const taken = Promise.allSettled([semaphore.acquire({ signal }), permits.acquire({ signal })])
    giveUp.abort()
    expect(await taken).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    await eventually(async () => (await semaphore.availablePermits()) === 1)
    await eventually(async () => (await permits.availablePermits()) === 1)
  })

  it.each<[string, (name: string) => RLock]>([
    ['a lock', (name) => client.getLock(name)],
    ['a fair lock', (name) => client.getFairLock(name)],
    ['a fenced lock', (name) => client.getFencedLock(name)],
    ['a read lock', (name) => client.getReadWriteLock(name).readLock()],
    ['a write lock', (name) => client.getReadWriteLock(name).writeLock()],
    ['values of a group', (name) => client.getMultiLock(name, ['a', 'b'])],
  ])('releases %s once for each hold', async (kind, lockOf) => {
    const lock = lockOf(`mute-${kind}`)
    await client.runAsThread(async () => {
      await lock.lock()
      await lock.lock()
      await lock.unlock()
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
      await expect(lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    })
    await lock.lock({ leaseMs: 60_000 })
    expect(await lock.forceUnlock()).toBe(true)
    expect(await lock.isLocked()).toBe(false)
  })

  it('releases a fair lock that another client waits for', async () => {
    await using other = await Redisson.create(single.options())
    const hold = await client.getFairLock('mute-lock').acquire({ leaseMs: 60_000 })
    const giveUp = new AbortController()
    const waiting = other.getFairLock('mute-lock').acquire({ signal: giveUp.signal })
    await untilAwaited(single, 'mute-lock')
    await hold.unlock()
    expect(await other.getFairLock('mute-lock').isHeldByThread(hold.owner)).toBe(false)
    giveUp.abort() // its turn might be long in coming, as it was not called
    await waiting.then(
      (next) => next.unlock(),
      () => undefined,
    )
  })

  it('sets a rate, and gives back what was granted', async () => {
    const limiter = client.getRateLimiter('mute-rate')
    await limiter.setRate('OVERALL', 5, 60_000)
    expect(await limiter.tryAcquire(4)).toBe(true)
    await limiter.release(2)
    expect(await limiter.availablePermits()).toBe(3)
    await limiter.setRate('OVERALL', 7, 60_000)
    expect(await limiter.availablePermits()).toBe(7)
    await limiter.delete()
  })

  it('sets, counts down and removes a latch', async () => {
    const { latch } = mine
    expect(await latch.trySetCount(2)).toBe(true)
    await latch.countDown()
    await latch.countDown()
    expect(await latch.getCount()).toBe(0)
    expect(await latch.trySetCount(1)).toBe(true)
    expect(await latch.delete()).toBe(true)
  })
})

describe('a server that is out of memory for a while', () => {
  it('sets a value later', async () => {
    const client = await Redisson.create(single.options({ retryDelay: 1_000 })) // it is sent only once more
    const bucket = client.getBucket('full')
    const before = await refusals(server)
    await server.command('CONFIG', 'SET', 'maxmemory', '1mb')
    try {
      const set = bucket.set('value')
      const free = async () => {
        await eventually(async () => (await refusals(server)) > before)
        await server.command('CONFIG', 'SET', 'maxmemory', '0')
      }
      await Promise.all([set, free()])
      expect(await bucket.get()).toBe('value')
    } finally {
      await server.command('CONFIG', 'SET', 'maxmemory', '0')
      await bucket.delete()
      await client.shutdown()
    }
  })

  it('takes permits and inner holds back', async () => {
    const client = await Redisson.create(single.options())
    const semaphore = client.getSemaphore('full')
    await semaphore.trySetPermits(1)
    await semaphore.acquire()
    const locks = [
      client.getLock('full-lock'),
      client.getFairLock('full-fair'),
      client.getReadWriteLock('full-rw').writeLock(),
      client.getMultiLock('full-values', ['one', 'other']),
    ]
    try {
      await client.runAsThread(async () => {
        for (const lock of [...locks, ...locks]) await lock.lock()
        await server.command('CONFIG', 'SET', 'maxmemory', '1mb')
        for (const lock of [...locks, ...locks]) await lock.unlock()
      })
      await semaphore.release()
      expect(await semaphore.availablePermits()).toBe(1)
      expect(await Promise.all(locks.map((lock) => lock.isLocked()))).not.toContain(true)
    } finally {
      await server.command('CONFIG', 'SET', 'maxmemory', '0')
      await semaphore.delete()
      await client.shutdown()
    }
  })
})

/** How many commands a server has refused because it was out of memory. */
async function refusals(node: typeof server): Promise<number> {
  const stats = (await node.command('INFO', 'errorstats')) as string
  return Number(/errorstat_OOM:count=(\d+)/.exec(stats)?.[1] ?? 0)
}

describe('a user who may use no such key, whatever its name says', () => {
  let client: RedissonClient

  beforeAll(async () => {
    await server.command('ACL', 'SETUSER', 'stranger', 'reset', 'on', '>secret', '~other*', '&*', '+@all')
    client = await Redisson.create(single.options({ username: 'stranger', password: 'secret' }))
  })

  afterAll(async () => {
    await client.shutdown()
    await server.command('ACL', 'DELUSER', 'stranger')
  })

  it.each<readonly [call: string, name: string, call: (name: string) => Promise<unknown>]>([
    ['RSetMultimapCache.put', 'KEYSENDED', (name) => client.getSetMultimapCache(name).put('k', 1)],
    ['RRateLimiter.tryAcquire', 'RATE_NOT_SET', (name) => client.getRateLimiter(name).tryAcquire()],
    ['RRateLimiter.tryAcquire', 'RATE_TOO_LOW', (name) => client.getRateLimiter(name).tryAcquire()],
    [
      'a lock that is not reentrant',
      'NON_REENTRANT_REACQUIRE',
      (name) => client.getNonReentrantLock(name).tryLock(),
    ],
    ['RList.fastSet', 'index out of range', (name) => client.getList(name).fastSet(1, 'v')],
    [
      'RBinaryStream.append',
      'string exceeds maximum allowed size',
      (name) => client.getBinaryStream(name).append(Uint8Array.of(1)),
    ],
    [
      'RGeo.search',
      'could not decode requested zset member',
      (name) => client.getGeo(name).search({ from: { member: 'm' }, radius: 1, unit: 'm' }),
    ],
    [
      'RGeo.search',
      'unknown command',
      (name) => client.getGeo(name).search({ from: { member: 'm' }, radius: 1, unit: 'm' }),
    ],
    ['RObject.copy', 'DB index', (name) => client.getBucket(name).copy(`{${name}}:2`)],
  ])('%s says so of %j', async (_, name, call) => {
    await expect(call(name)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:SCRIPT|COMMAND)$/) as string,
      needs: expect.stringContaining(name) as string,
    })
  })
})
