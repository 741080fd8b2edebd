import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const NAME = 'crowded'

const kinds: readonly (readonly [string, (client: RedissonClient) => RLock])[] = [
  ['a lock', (client) => client.getLock(NAME)],
  ['a fair lock', (client) => client.getFairLock(NAME)],
  ['a spin lock', (client) => client.getSpinLock(NAME)],
  ['a write lock', (client) => client.getReadWriteLock(NAME).writeLock()],
  ['values of a group', (client) => client.getMultiLock(NAME, ['a', 'b'])],
]

/** Waits for something that no caller gets. */
type Wait = (client: RedissonClient, signal: AbortSignal) => Promise<unknown>

const others: readonly (readonly [
  string,
  (client: RedissonClient) => Promise<() => Promise<unknown>>,
  Wait,
])[] = [
  [
    'a semaphore',
    async (client) => {
      const semaphore = client.getSemaphore(NAME)
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      return () => semaphore.delete()
    },
    (client, signal) => client.getSemaphore(NAME).acquire({ signal }),
  ],
  [
    'a latch',
    async (client) => {
      const latch = client.getCountDownLatch(NAME)
      await latch.trySetCount(1)
      return () => latch.delete()
    },
    (client, signal) => client.getCountDownLatch(NAME).await({ signal }),
  ],
]

describe('those who wait with one signal', () => {
  noLeaks(single)
  const clients = twoClients(single)

  /** Has a number of callers wait, and then leave at once; returns how many listeners the signal had meanwhile. */
  const crowd = async (wait: (signal: AbortSignal) => Promise<unknown>, count: number): Promise<number> => {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const outcomes = Promise.allSettled(Array.from({ length: count }, () => wait(signal)))
    await nextTurn()
    const listeners = getEventListeners(signal, 'abort').length
    giveUp.abort()
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    return listeners
  }

  it.each(kinds)('share one listener (%s)', async (_, lockOf) => {
    await using hold = await lockOf(clients.other).acquire()
    expect(await crowd((signal) => lockOf(clients.mine).acquire({ signal }), 1_000)).toBe(1)
    expect(hold.isHeld).toBe(true)
  })

  it.each(others)('share one listener (%s)', async (_, take, wait) => {
    const remove = await take(clients.other)
    expect(await crowd((signal) => wait(clients.mine, signal), 1_000)).toBe(1)
    await remove()
  })

  it('cost a time that grows with their number, and not with its square', { tags: ['timed'] }, async () => {
    await using hold = await clients.other.getLock(NAME).acquire()
    const timeOf = async (count: number): Promise<number> => {
      const before = process.cpuUsage()
      await crowd((signal) => clients.mine.getLock(NAME).acquire({ signal }), count)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    await timeOf(2_500)
    const few = Math.min(await timeOf(2_500), await timeOf(2_500))
    const many = await timeOf(20_000)
    expect(many / few).toBeLessThan(16) // 8 if it is linear, 64 if it is quadratic
    expect(hold.isHeld).toBe(true)
  })
})
