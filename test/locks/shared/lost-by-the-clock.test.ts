import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { twoAsOne } from './two-as-one.js'
import { standStill } from '../../support/stand-still.js'

/** Redis counts its holds for some 20 ms more than this process does. */
const LEASE_MS = 2000

const kinds: readonly (readonly [string, (client: RedissonClient, name: string) => RLock])[] = [
  ['a lock', (client, name) => client.getLock(name)],
  ['a fair lock', (client, name) => client.getFairLock(name)],
  ['a read lock', (client, name) => client.getReadWriteLock(name).readLock()],
  ['a write lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  ['the values of a group', (client, name) => client.getMultiLock(name, ['one', 'two'])],
  ['a multi-lock', twoAsOne],
]

describe.each(kinds)(
  '%s whose lease is over, while Redis still has it',
  { tags: ['full'] },
  (kind, lockOf) => {
    noLeaks(single)
    const clients = twoClients(single, {})
    let lock: RLock

    beforeEach(() => {
      lock = lockOf(clients.mine, `lost-by-the-clock ${kind}`)
    })

    afterEach(() => {
      vi.restoreAllMocks()
    })

    const aborted = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve()
        })
      })

    it('has withLock() reject, although its function has not', async () => {
      const work = lock.withLock((hold) => aborted(hold.signal), { leaseMs: LEASE_MS })
      await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
      expect(await lock.isLocked()).toBe(false) // it was given back all the same
    })

    it('has unlock() of its hold reject', async () => {
      const hold = await lock.acquire({ leaseMs: LEASE_MS })
      await aborted(hold.signal)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      expect(await lock.isLocked()).toBe(false)
    })

    it('has unlock() of its thread reject', async () => {
      await clients.mine.runAsThread(async () => {
        await lock.lock({ leaseMs: LEASE_MS })
        const now = performance.now.bind(performance)
        vi.spyOn(performance, 'now').mockImplementation(() => now() + LEASE_MS)
        await expect(lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      })
      expect(await lock.isLocked()).toBe(false)
    })

    it('has unlock() reject as well where the end comes before the script could be sent in full', async () => {
      const leaseMs = 500
      let endsAt = 0
      const hold = await takeBriefly(() => {
        endsAt = performance.now() + leaseMs
        return lock.acquire({ leaseMs })
      })
      expect(hold.owner).toMatch(/:\d+$/) // from now on other places may act for it, and nothing is released after the end
      await single.nodes[0].command('SCRIPT', 'FLUSH')
      await sleep(endsAt - performance.now() - 100)
      const unlocked = hold.unlock()
      standStill(endsAt + 50 - performance.now())
      await expect(unlocked).rejects.toMatchObject({ code: 'NOT_HELD' })
    })
  },
)
