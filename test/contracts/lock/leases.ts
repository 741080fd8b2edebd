import { describe, expect, it } from 'vitest'
import { LockLostError, type LockHold, type LockLostEvent } from '../../../src/index.js'
import { untilAborted } from '../../support/until-aborted.js'
import {
  BRIEFLY_MS,
  LONG_MS,
  noLeaksAfterAll,
  PATIENT_WATCHDOG_MS,
  untilFree,
  untilRenewed,
  WATCHDOG_MS,
  type LockFixture,
} from '../lock-fixture.js'
import { takeBriefly } from '../take-briefly.js'

/** A busy machine may stand still for most of it, and the hold is still renewed. */
const STEADY_WATCHDOG_MS = 6_000

export function leases(bench: LockFixture): void {
  describe('its lease', () => {
    noLeaksAfterAll(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)
    const steady = bench.withWatchdog(STEADY_WATCHDOG_MS)

    it.concurrent.each([0, -1, -1_000])(
      'of %d is one that the watchdog renews',
      { tags: ['timed'] },
      async (leaseMs) => {
        const { lock, theirs } = brisk.spot()
        await lock.lock(leaseMs)
        await untilRenewed(theirs)
        await lock.unlock()
        expect(await lock.tryLock(0, leaseMs)).toBe(true)
        expect(await theirs.remainTimeToLive()).toBeLessThanOrEqual(WATCHDOG_MS)
        await lock.unlock()
      },
    )

    it.concurrent('of less than a millisecond is short, and not none', async () => {
      const { lock } = bench.spot()
      await lock.lock(0.01).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' }) // the answer took longer
      })
      await untilFree(lock)
    })

    it.concurrent('is at least as long as was asked for, in whole milliseconds', async () => {
      const { lock, ask } = bench.spot()
      await lock.lock(60_000.2)
      const leftMs = (await ask('PTTL')) as number
      expect(leftMs).toBeGreaterThan(50_000)
      expect(leftMs).toBeLessThanOrEqual(60_001)
      await lock.unlock()
    })

    it.concurrent('is that of the hold, and not of the lock', async () => {
      const { lock } = bench.spot()
      await lock.lock(3_600_000)
      expect(await lock.remainTimeToLive()).toBeGreaterThan(3_590_000)
      await lock.unlock()
      expect(await lock.remainTimeToLive()).toBe(-2)
      await lock.lock()
      expect(await lock.remainTimeToLive()).toBeLessThanOrEqual(PATIENT_WATCHDOG_MS)
      await lock.unlock()
    })

    it.concurrent('is renewed by the watchdog', async () => {
      const { lock, theirs } = steady.spot()
      await using _hold = await lock.acquire()
      await untilRenewed(theirs)
    })

    it.concurrent(
      'is renewed by the watchdog while the hold lasts, and only then',
      { tags: ['timed'] },
      async () => {
        const { lock, theirs } = brisk.spot()
        const hold = await lock.acquire()
        for (let renewal = 0; renewal < 4; renewal += 1) await untilRenewed(theirs)
        expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
        await hold.unlock()
        expect(await theirs.remainTimeToLive()).toBe(-2)
      },
    )

    it.concurrent('ends by itself if it was asked for, and is not renewed', async () => {
      const { lock, theirs } = brisk.spot()
      const hold = await takeBriefly(() => lock.acquire({ leaseMs: WATCHDOG_MS / 2 }))
      await untilFree(theirs)
      expect(hold.isHeld).toBe(false)
    })

    it.concurrent('is over for its holder no later than for Redis', { tags: ['timed'] }, async () => {
      const { lock, theirs } = bench.spot()
      const leaseMs = 400
      const hold = await lock.acquire({ leaseMs })
      const wokenAt = untilAborted(hold.signal).then(() => performance.now())
      const freeAt = untilFree(theirs).then(() => performance.now())
      expect(await wokenAt).toBeLessThanOrEqual(await freeAt)
      expect(hold.isHeld).toBe(false)
    })

    it.concurrent('when it ends, lets a waiter in that no message tells', async () => {
      const { lock, rival } = bench.spot()
      const leaseMs = 300
      const startedAt = performance.now()
      await takeBriefly(() => rival.lock(leaseMs))
      await lock.lock()
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(leaseMs - 1)
      await lock.unlock()
    })

    it.concurrent('when it ends, lets all who wait in', async () => {
      const { lock, rival } = bench.spot()
      const startedAt = performance.now()
      await takeBriefly(() => rival.acquire({ leaseMs: 200 }))
      const endsMs = 200 + (bench.shared ? 0 : 2 * BRIEFLY_MS) // together, or one after the other
      const holds: LockHold[] = []
      const waiters = [1, 2, 3].map(async () => {
        holds.push(await takeBriefly(() => lock.acquire({ leaseMs: BRIEFLY_MS })))
      })
      await Promise.all(waiters)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(endsMs - 1)
      await Promise.all(holds.map((hold) => hold[Symbol.asyncDispose]()))
    })

    if (bench.ownersByField) {
      it.concurrent(
        'without an end is no reason to wait for ever, should the key vanish in silence',
        async () => {
          const { lock, ask, untilWaiting } = brisk.spot()
          await ask('HSET', ...bench.heldBy('another:1'))
          expect(await ask('PTTL')).toBe(-1)
          const waiter = lock.acquire({ leaseMs: LONG_MS })
          await untilWaiting()
          await ask('DEL')
          await using hold = await waiter
          expect(hold.isHeld).toBe(true)
        },
      )
    }

    it.concurrent('is over when the watchdog finds the key gone', { tags: ['timed'] }, async () => {
      const { lock, ask } = brisk.spot()
      const hold = await lock.acquire()
      await ask('DEL')
      await untilAborted(hold.signal)
      expect(hold.signal.reason).toMatchObject({ reason: 'not-held' })
      expect(hold.isHeld).toBe(false)
    })

    it.concurrent('is over when it turns out at the end that the key is gone', async () => {
      const { lock, ask } = bench.spot()
      const hold = await lock.acquire({ leaseMs: 60_000 })
      await ask('DEL')
      await expect(hold.unlock()).rejects.toMatchObject({ cause: { code: 'LOCK_LOST', reason: 'not-held' } })
      expect(hold.signal.aborted).toBe(true)
    })
  })

  if (bench.reentrant) {
    describe('the lease of several holds', { tags: ['timed'] }, () => {
      noLeaksAfterAll(bench.topology)
      const brisk = bench.withWatchdog(WATCHDOG_MS)

      it.concurrent('is renewed if one of them asked for no lease, however short the others’', async () => {
        const { lock, theirs } = brisk.spot()
        await brisk.mine.runAsThread(async () => {
          await lock.lock()
          await lock.lock(BRIEFLY_MS)
          await untilRenewed(theirs)
          await lock.unlock()
          await untilRenewed(theirs)
          await lock.unlock()
        })
      })

      it.concurrent('is renewed for as long as the one lasts that asked for none', async () => {
        const { lock, theirs } = brisk.spot()
        await brisk.mine.runAsThread(async () => {
          await lock.lock(WATCHDOG_MS / 2)
          await lock.lock()
          await untilRenewed(theirs)
          await lock.unlock()
          await untilFree(theirs)
        })
      })

      it.concurrent('is renewed until the last is given back, and not after', async () => {
        const { lock, theirs } = brisk.spot()
        await brisk.mine.runAsThread(async () => {
          for (let depth = 0; depth < 3; depth += 1) await lock.lock()
          await lock.unlock()
          await lock.unlock()
          await untilRenewed(theirs)
          await lock.unlock()
        })
        expect(await theirs.isLocked()).toBe(false)
      })
    })
  }

  describe('its lease, when another client forces it open,', { tags: ['timed'] }, () => {
    noLeaksAfterAll(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    it.concurrent('is over with the next renewal, and the holder is notified', async () => {
      const { name, lock, theirs } = brisk.spot()
      const events: LockLostEvent[] = []
      const listen = (event: LockLostEvent) => {
        if (event.lock === name) events.push(event)
      }
      brisk.mine.on('lockLost', listen)
      try {
        const hold = await lock.acquire()
        await theirs.forceUnlock()
        await untilAborted(hold.signal)
        expect(hold.isHeld).toBe(false)
        const error: unknown = hold.signal.reason
        expect(error).toBeInstanceOf(LockLostError)
        const { owner, threadId } = hold
        expect(events).toEqual([{ lock: name, owner, threadId, reason: 'not-held', error }])
      } finally {
        brisk.mine.off('lockLost', listen)
      }
    })
  })
}
