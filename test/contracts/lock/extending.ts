import { describe, expect, it } from 'vitest'
import type { LockHold } from '../../../src/index.js'
import { untilAborted } from '../../support/until-aborted.js'
import {
  BRIEFLY_MS,
  noLeaksAfterAll,
  untilFree,
  untilRenewed,
  WATCHDOG_MS,
  type LockFixture,
} from '../lock-fixture.js'
import { takeBriefly } from '../take-briefly.js'

const LONG_LEASE_MS = 600_000

/** How much of a lease may have passed when it is asked for: more than a test may take. */
const SLACK_MS = 60_000

export function extending(bench: LockFixture): void {
  describe('extending a hold of it', () => {
    noLeaksAfterAll(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    it.concurrent('makes its lease last at least that long from then on', { tags: ['timed'] }, async () => {
      const [spot, other] = [bench.spot(), bench.spot()]
      const hold = await spot.lock.acquire({ leaseMs: BRIEFLY_MS })
      await hold.extend(LONG_LEASE_MS)
      const unextended = await other.lock.acquire({ leaseMs: BRIEFLY_MS })
      const leftMs = await spot.theirs.remainTimeToLive()
      expect(leftMs).toBeGreaterThan(LONG_LEASE_MS - SLACK_MS)
      expect(leftMs).toBeLessThanOrEqual(LONG_LEASE_MS)
      await untilAborted(unextended.signal)
      expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
      await hold.unlock()
      expect(await spot.theirs.isLocked()).toBe(false)
      await untilFree(other.theirs)
    })

    it.concurrent(
      'ends with the lease that it was given, here no later than in Redis',
      { tags: ['timed'] },
      async () => {
        const { lock, theirs } = bench.spot()
        const hold = await lock.acquire({ leaseMs: 2 * BRIEFLY_MS })
        await hold.extend(3 * BRIEFLY_MS)
        const wokenAt = untilAborted(hold.signal).then(() => performance.now())
        const freeAt = untilFree(theirs).then(() => performance.now())
        expect(await wokenAt).toBeLessThanOrEqual(await freeAt)
        expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
      },
    )

    it.concurrent('never makes its lease shorter', async () => {
      const { lock, theirs } = bench.spot()
      const hold = await lock.acquire({ leaseMs: LONG_LEASE_MS })
      await hold.extend(1)
      await hold.extend(BRIEFLY_MS)
      expect(await theirs.remainTimeToLive()).toBeGreaterThan(LONG_LEASE_MS - SLACK_MS)
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })

    it.concurrent('by nothing hands it to the watchdog', { tags: ['timed'] }, async () => {
      const { lock, theirs } = brisk.spot()
      const hold = await lock.acquire({ leaseMs: WATCHDOG_MS / 2 })
      await hold.extend()
      for (let renewal = 0; renewal < 3; renewal += 1) await untilRenewed(theirs)
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent('leaves it to the watchdog that has it already', { tags: ['timed'] }, async () => {
      const { lock, theirs } = brisk.spot()
      const hold = await lock.acquire()
      await hold.extend(WATCHDOG_MS * 1.5)
      for (let renewal = 0; renewal < 2; renewal += 1) await untilRenewed(theirs)
      await hold.unlock()
    })

    it.concurrent('is refused when it has been given back, and changes nothing', async () => {
      const { lock, rival } = bench.spot()
      const hold = await lock.acquire()
      await hold.unlock()
      const theirs = await rival.acquire({ leaseMs: LONG_LEASE_MS })
      await expect(hold.extend(2 * LONG_LEASE_MS)).rejects.toMatchObject({
        code: 'NOT_HELD',
        lock: lock.name,
        owner: hold.owner,
        message: expect.stringContaining('It was released already.') as unknown,
      })
      await expect(hold.extend()).rejects.toMatchObject({ code: 'NOT_HELD' })
      expect(await rival.remainTimeToLive()).toBeLessThanOrEqual(LONG_LEASE_MS)
      await theirs.unlock()
    })

    it.concurrent(
      'is refused when its lease has ended, and changes nothing for those who came after',
      async () => {
        const { lock, rival } = bench.spot()
        const hold = await takeBriefly(() => lock.acquire({ leaseMs: BRIEFLY_MS }))
        const theirs = await rival.acquire({ leaseMs: LONG_LEASE_MS })
        for (const extend of [() => hold.extend(2 * LONG_LEASE_MS), () => hold.extend()])
          await expect(extend()).rejects.toBe(hold.signal.reason)
        expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
        expect(await rival.remainTimeToLive()).toBeLessThanOrEqual(LONG_LEASE_MS)
        await theirs.unlock()
      },
    )

    it.concurrent('finds out that the key is gone, and makes none', async () => {
      const { lock, ask } = bench.spot()
      const hold = await lock.acquire({ leaseMs: LONG_LEASE_MS })
      await ask('DEL')
      await expect(hold.extend(LONG_LEASE_MS)).rejects.toMatchObject({
        code: 'LOCK_LOST',
        reason: 'not-held',
      })
      expect([hold.isHeld, hold.signal.aborted]).toEqual([false, true])
      expect(await ask('EXISTS')).toBe(0)
      await hold[Symbol.asyncDispose]()
    })

    it.concurrent('goes before or after giving it back, in the order of the calls', async () => {
      const { lock, theirs } = bench.spot()
      const given = await lock.acquire({ leaseMs: LONG_LEASE_MS })
      expect(
        await Promise.allSettled([given.unlock(), given.extend(LONG_LEASE_MS), given.extend()]),
      ).toMatchObject([
        { status: 'fulfilled' },
        { reason: { code: 'NOT_HELD' } },
        { reason: { code: 'NOT_HELD' } },
      ])
      const kept = await lock.acquire({ leaseMs: LONG_LEASE_MS })
      await Promise.all([kept.extend(LONG_LEASE_MS), kept.extend(), kept.unlock()])
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent.each([0, -0, -1, -Infinity])('by %o is refused, and changes nothing', async (leaseMs) => {
      const { lock, theirs } = bench.spot()
      const hold = await lock.acquire({ leaseMs: LONG_LEASE_MS })
      await expect(hold.extend(leaseMs)).rejects.toThrow(
        new RangeError(
          `Expected \`leaseMs\` to be more than 0 milliseconds, got ${leaseMs}; ` +
            'extend() without a number leaves it to the watchdog',
        ),
      )
      expect(await theirs.remainTimeToLive()).toBeGreaterThan(LONG_LEASE_MS - SLACK_MS)
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })

    it.concurrent.each(['1000', null, NaN, Infinity, 10n, {}])('by %o is refused', async (leaseMs) => {
      const { lock } = bench.spot()
      const hold = await lock.acquire()
      await expect(hold.extend(leaseMs as number)).rejects.toThrow(
        'Expected `leaseMs` to be a number of milliseconds',
      )
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })
  })

  if (!bench.reentrant) return

  describe('extending one of several holds', () => {
    noLeaksAfterAll(bench.topology)
    const brisk = bench.withWatchdog(WATCHDOG_MS)

    it.concurrent('extends the lease of all, also when it has been given back', async () => {
      const { lock, theirs } = bench.spot()
      await lock.withLock(
        async (outer) => {
          await lock.withLock((inner) => inner.extend(LONG_LEASE_MS), { leaseMs: 10 * BRIEFLY_MS })
          expect(await theirs.remainTimeToLive()).toBeGreaterThan(LONG_LEASE_MS - SLACK_MS)
          expect(outer.isHeld).toBe(true)
        },
        { leaseMs: 10 * BRIEFLY_MS },
      )
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent(
      'hands the lock to the watchdog until that one is given back',
      { tags: ['timed'] },
      async () => {
        const { lock, theirs } = brisk.spot()
        await lock
          .withLock(
            async (outer) => {
              await lock.withLock(
                async (inner) => {
                  await inner.extend()
                  for (let renewal = 0; renewal < 2; renewal += 1) await untilRenewed(theirs)
                },
                { leaseMs: WATCHDOG_MS / 2 },
              )
              await untilAborted(outer.signal)
              await untilFree(theirs)
            },
            { leaseMs: WATCHDOG_MS / 2 },
          )
          .catch((error: unknown) => {
            expect(error).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
          })
      },
    )

    it.concurrent('of a thread with a name extends what that thread has', async () => {
      const { lock, theirs } = bench.spot()
      await bench.mine.runAsThread(
        async () => {
          await lock.lock(10 * BRIEFLY_MS)
          await lock.withLock((hold: LockHold) => hold.extend(LONG_LEASE_MS))
          expect(await theirs.remainTimeToLive()).toBeGreaterThan(LONG_LEASE_MS - SLACK_MS)
          await lock.unlock()
        },
        { threadId: 7 },
      )
      expect(await theirs.isLocked()).toBe(false)
    })
  })
}
