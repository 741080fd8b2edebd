import { beforeEach, describe, expect, it } from 'vitest'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const LEASE_MS = 600_000

describe('forceUnlock()', () => {
  noLeaks(single)
  const clients = twoClients(single, {})
  let names = 0
  let name: string

  beforeEach(() => {
    name = `forced-along-${String(names++)}`
  })

  const forced = { code: 'LOCK_LOST', reason: 'forced' }

  it('of a write lock tells the readers of this client whose holds it has freed as well', async () => {
    const { mine, other } = clients
    const sides = mine.getReadWriteLock(name)
    await mine.runAsThread(async () => {
      await sides.writeLock().lock({ leaseMs: LEASE_MS })
      const reading = sides.readLock().withLock(
        async (hold) => {
          expect(await sides.writeLock().forceUnlock()).toBe(true)
          expect(hold.isHeld).toBe(false)
          expect(hold.signal.reason).toMatchObject(forced)
          await other
            .getReadWriteLock(name)
            .writeLock()
            .withLock(() => undefined, { waitMs: 20_000 })
        },
        { leaseMs: LEASE_MS },
      )
      await expect(reading).rejects.toMatchObject(forced)
    })
  })

  it('of a read lock leaves a writer alone who reads as well', async () => {
    const { mine, other } = clients
    const sides = mine.getReadWriteLock(name)
    await mine.runAsThread(async () => {
      await sides.writeLock().lock({ leaseMs: LEASE_MS })
      await sides.readLock().withLock(
        async (hold) => {
          expect(await sides.readLock().forceUnlock()).toBe(false)
          expect(hold.isHeld).toBe(true)
        },
        { leaseMs: LEASE_MS },
      )
      await sides.writeLock().unlock()
    })
    await other
      .getReadWriteLock(name)
      .writeLock()
      .withLock(() => undefined, { waitMs: 20_000 })
  })

  it('of some values tells those holds of this client that have any of them', async () => {
    const { mine } = clients
    const hold = await mine.getMultiLock(name, ['one', 'two']).acquire({ leaseMs: LEASE_MS })
    const beside = await mine.getMultiLock(name, ['three']).acquire({ leaseMs: LEASE_MS })
    expect(await mine.getMultiLock(name, ['one']).forceUnlock()).toBe(true)
    expect([hold.isHeld, beside.isHeld]).toEqual([false, true])
    expect(hold.signal.reason).toMatchObject(forced)
    await beside.unlock()
    await mine.getMultiLock(name, ['two']).forceUnlock()
  })
})
