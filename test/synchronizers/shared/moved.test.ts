import { describe, expect, it, vi } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

const NAME = '{seats}'
const OTHER = '{seats}2'

/** Longer than a test may take, so that a waiter wakes by a message alone. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

interface SemaphoreKind {
  readonly what: string
  readonly of: (
    client: RedissonClient,
    name: string,
  ) => {
    readonly set: () => Promise<unknown>
    readonly take: () => Promise<unknown>
    readonly object: {
      rename(newName: string): Promise<void>
      copy(to: string): Promise<boolean>
      delete(): Promise<boolean>
      unlink(): Promise<boolean>
      expire(time: Date): Promise<boolean>
    }
  }
}

const kinds: readonly SemaphoreKind[] = [
  {
    what: 'a semaphore',
    of: (client, name) => {
      const object = client.getSemaphore(name)
      return { object, set: () => object.trySetPermits(1), take: () => object.acquire() }
    },
  },
  {
    what: 'a semaphore whose permits can expire',
    of: (client, name) => {
      const object = client.getPermitExpirableSemaphore(name)
      return { object, set: () => object.trySetPermits(1), take: () => object.acquire() }
    },
  },
]

describe.each(topologies)('those who wait ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  describe.each(kinds)('for $what', ({ of }) => {
    it.each(['rename', 'copy'] as const)('get what comes under its name by %s()', async (method) => {
      const waiting = of(clients.mine, OTHER).take()
      await untilAwaited(topology, OTHER)
      const { object, set } = of(clients.other, NAME)
      await set()
      await object[method](OTHER)
      await waiting
      await object.delete()
      await of(clients.mine, OTHER).object.delete()
    })

    it.each(['delete', 'unlink', 'expire', 'rename'] as const)('go on waiting after %s()', async (method) => {
      const { object, set, take } = of(clients.mine, NAME)
      const there = of(clients.other, NAME)
      await set()
      await take()
      const waiting = take()
      await untilAwaited(topology, NAME)
      if (method === 'expire') await there.object.expire(new Date(0))
      else if (method === 'rename') await there.object.rename(OTHER)
      else await there.object[method]()
      await there.set()
      await waiting
      await object.delete()
      await of(clients.mine, OTHER).object.delete()
    })
  })

  it.each(['delete', 'unlink', 'rename'] as const)('for a latch are released by %s()', async (method) => {
    const latch = clients.mine.getCountDownLatch(NAME)
    await latch.trySetCount(1)
    const waiting = latch.await()
    await untilAwaited(topology, NAME)
    const there = clients.other.getCountDownLatch(NAME)
    if (method === 'rename') await there.rename(OTHER)
    else await there[method]()
    expect(await waiting).toBe(true)
    await clients.mine.getCountDownLatch(OTHER).delete()
  })

  it('for a latch that is replaced wait for the zero of the other', async () => {
    const latch = clients.mine.getCountDownLatch(OTHER)
    await latch.trySetCount(1)
    const waiting = latch.await()
    await untilAwaited(topology, OTHER)
    const there = clients.other.getCountDownLatch(NAME)
    await there.trySetCount(2)
    await there.rename(OTHER)
    await latch.countDown()
    expect(await latch.getCount()).toBe(1)
    await latch.countDown()
    expect(await waiting).toBe(true)
  })

  it.each(['delete', 'unlink', 'expire', 'rename'] as const)(
    'for a rate limiter hear that there is none after %s()',
    { tags: ['timed'] },
    async (method) => {
      const limiter = clients.mine.getRateLimiter(NAME)
      await limiter.trySetRate('OVERALL', 1, 1_000)
      await limiter.acquire()
      const waiting = limiter.acquire()
      const refused = expect(waiting).rejects.toMatchObject({ code: 'RATE_NOT_SET' })
      const there = clients.other.getRateLimiter(NAME)
      if (method === 'expire') await there.expire(new Date(0))
      else if (method === 'rename') await there.rename(OTHER)
      else await there[method]()
      await refused
      await clients.mine.getRateLimiter(OTHER).delete()
    },
  )
})

describe.each(topologies)('a hold of a permit ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const seats = (name = NAME) => clients.mine.getPermitExpirableSemaphore(name)

  it.each(['delete', 'unlink', 'rename', 'renamenx'] as const)('is lost by %s()', async (method) => {
    await seats().trySetPermits(1)
    const hold = await seats().acquirePermit()
    if (method === 'rename' || method === 'renamenx') await seats()[method](OTHER)
    else await seats()[method]()
    expect(hold.isHeld).toBe(false)
    expect(hold.signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'not-held' })
    await seats(OTHER).delete()
  })

  it('stays where the semaphore does', async () => {
    await seats().trySetPermits(1)
    await seats(OTHER).trySetPermits(1)
    const hold = await seats().acquirePermit()
    expect(await seats().renamenx(OTHER)).toBe(false)
    expect(await seats().renamenx(NAME)).toBe(false)
    await seats().rename(NAME)
    expect(await seats().copy(OTHER, { replace: true })).toBe(true)
    expect(hold.isHeld).toBe(true)
    await hold.release()
    expect(await seats().availablePermits()).toBe(1)
    await seats().delete()
    await seats(OTHER).delete()
  })
})
