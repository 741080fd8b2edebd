import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { LATCHES } from '../../contracts/lock-fixture.js'
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

describe('those who wait for a lock with one signal', () => {
  noLeaks(single, LATCHES)
  const clients = twoClients(single)

  /** Has a number of callers wait, and then leave at once; returns how many listeners the signal had meanwhile. */
  const crowd = async (lock: RLock, count: number): Promise<number> => {
    const giveUp = new AbortController()
    const { signal } = giveUp
    const outcomes = Promise.allSettled(Array.from({ length: count }, () => lock.acquire({ signal })))
    await nextTurn()
    const listeners = getEventListeners(signal, 'abort').length
    giveUp.abort()
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    return listeners
  }

  it.each(kinds)('share one listener (%s)', async (_, lockOf) => {
    await using hold = await lockOf(clients.other).acquire()
    expect(await crowd(lockOf(clients.mine), 1_000)).toBe(1)
    expect(hold.isHeld).toBe(true)
  })

  it('cost a time that grows with their number, and not with its square', { tags: ['timed'] }, async () => {
    await using hold = await clients.other.getLock(NAME).acquire()
    const timeOf = async (count: number): Promise<number> => {
      const before = process.cpuUsage()
      await crowd(clients.mine.getLock(NAME), count)
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
