import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { LockHold } from '../../../src/index.js'
import { noLeaks } from '../../support/no-leaks.js'
import { untilFree, untilRenewed, WATCHDOG_MS, type Bench } from './bench.js'

/** Of a waiter that gets a lock whose lease has ended: no message tells it, and it has to notice by itself. */
const SHORTLY_MS = 1_000

export function leases(bench: Bench): void {
  describe('its lease', () => {
    noLeaks(bench.topology)

    it.each([0, -1, -1_000])('of %d is one that the watchdog renews', async (leaseMs) => {
      await bench.lock.lock(leaseMs)
      await untilRenewed(bench.theirs)
      await bench.lock.unlock()
      expect(await bench.lock.tryLock(0, leaseMs)).toBe(true)
      expect(await bench.theirs.remainTimeToLive()).toBeLessThanOrEqual(WATCHDOG_MS)
      await bench.lock.unlock()
    })

    it('of less than a millisecond is one of a millisecond, and not none', async () => {
      await bench.lock.lock(0.01)
      await untilFree(bench.lock)
    })

    it('is that of the hold, and not of the lock', async () => {
      const { lock } = bench
      await lock.lock(3_600_000)
      expect(await lock.remainTimeToLive()).toBeGreaterThan(3_590_000)
      await lock.unlock()
      expect(await lock.remainTimeToLive()).toBe(-2)
      await lock.lock()
      expect(await lock.remainTimeToLive()).toBeLessThanOrEqual(WATCHDOG_MS)
      await lock.unlock()
    })

    it('is renewed by the watchdog while the hold lasts, and only then', async () => {
      const hold = await bench.lock.acquire()
      await untilRenewed(bench.theirs)
      await untilRenewed(bench.theirs)
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
      expect(await bench.theirs.remainTimeToLive()).toBe(-2)
    })

    it('ends by itself, and is not renewed', async () => {
      const hold = await bench.lock.acquire({ leaseMs: WATCHDOG_MS / 2 })
      await untilFree(bench.theirs)
      expect(hold.isHeld).toBe(false)
    })

    it('when it ends, lets a waiter in that no message tells', async () => {
      const leaseMs = 300
      const startedAt = performance.now()
      await bench.theirs.lock(leaseMs)
      await bench.lock.lock()
      const waitedMs = performance.now() - startedAt
      expect(waitedMs).toBeGreaterThanOrEqual(leaseMs - 1)
      expect(waitedMs).toBeLessThan(leaseMs + SHORTLY_MS)
      await bench.lock.unlock()
    })

    it('when it ends, lets all who wait in, one after the other', async () => {
      const startedAt = performance.now()
      await bench.theirs.acquire({ leaseMs: 200 })
      const holds: LockHold[] = []
      await Promise.all(
        [1, 2, 3].map(async () => {
          holds.push(await bench.lock.acquire({ leaseMs: 100 }))
        }),
      )
      expect(performance.now() - startedAt).toBeLessThan(400 + 3 * SHORTLY_MS)
      expect(new Set(holds.map(({ threadId }) => threadId)).size).toBe(3)
      await holds.at(-1)?.[Symbol.asyncDispose]()
    })

    it('without an end is waited for all the same, should the key vanish in silence', async () => {
      await bench.ask('HSET', 'somebody:1', 1)
      expect(await bench.lock.remainTimeToLive()).toBe(-1)
      const waiter = bench.lock.acquire()
      await bench.untilWaiting()
      await bench.ask('DEL')
      await using hold = await waiter
      expect(hold.isHeld).toBe(true)
    })

    it('is over for its holder no later than for Redis', async () => {
      const hold = await bench.lock.acquire({ leaseMs: 400 })
      await once(hold.signal, 'abort')
      const leftMs = await bench.theirs.remainTimeToLive()
      expect(hold.isHeld).toBe(false)
      expect(leftMs === -2 || leftMs <= 400 * 0.01 + 2).toBe(true)
    })
  })
}
