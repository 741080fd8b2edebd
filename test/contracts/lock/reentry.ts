import { describe, expect, it } from 'vitest'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { PATIENT_WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

export function reentry(bench: LockFixture): void {
  describe('entering again', () => {
    noLeaks(bench.topology)

    it('counts the holds of a thread, and frees the lock with the last', async () => {
      await bench.mine.runAsThread(async () => {
        const { lock } = bench
        const counts = [await lock.getHoldCount()]
        for (const step of [() => lock.lock(), () => lock.lock(), () => lock.unlock(), () => lock.unlock()]) {
          await step()
          counts.push(await lock.getHoldCount())
        }
        expect(counts).toEqual([0, 1, 2, 1, 0])
      })
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('keeps others out until the last hold is given back', async () => {
      await bench.mine.runAsThread(async () => {
        expect(await bench.lock.tryLock()).toBe(true)
        expect(await bench.lock.tryLock()).toBe(true)
        await bench.lock.unlock()
        expect(await bench.rival.tryLock()).toBe(false)
        if (!bench.shared) expect(await elsewhere(() => bench.lock.tryLock())).toBe(false)
        await bench.lock.unlock()
      })
      expect(await bench.rival.tryLock()).toBe(true)
      await bench.rival.unlock()
    })

    it('is seen by the thread alone', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        await bench.lock.lock()
        const states = await Promise.all([
          bench.lock.getHoldCount(),
          bench.lock.isHeldByCurrentThread(),
          elsewhere(() => bench.lock.getHoldCount()),
          elsewhere(() => bench.lock.isHeldByCurrentThread()),
          bench.theirs.getHoldCount(),
          bench.theirs.isHeldByCurrentThread(),
        ])
        expect(states).toEqual([2, true, 0, false, 0, false])
        await bench.lock.unlock()
        await bench.lock.unlock()
      })
    })

    it('is given back as often as it was taken, also by calls that do not wait for each other', async () => {
      await bench.mine.runAsThread(async () => {
        for (let holds = 0; holds < 4; holds += 1) await bench.lock.lock()
        await Promise.all([bench.lock.unlock(), bench.lock.unlock(), bench.lock.unlock()])
        expect(await bench.lock.getHoldCount()).toBe(1)
        const last = await Promise.allSettled([bench.lock.unlock(), bench.lock.unlock()])
        expect(last.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      })
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('is refused once too often', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        await bench.lock.unlock()
        await expect(bench.lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      })
    })

    it('with a shorter lease takes nothing from the longer one', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock(60_000)
        await bench.lock.lock(1_000)
        expect(await bench.lock.remainTimeToLive()).toBeGreaterThan(50_000)
        await bench.lock.unlock()
        expect(await bench.lock.remainTimeToLive()).toBeGreaterThan(50_000)
        await bench.lock.unlock()
      })
    })

    it('with a longer lease extends it', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock(20_000)
        await bench.lock.lock(60_000)
        expect(await bench.lock.remainTimeToLive()).toBeGreaterThan(50_000)
        await bench.lock.unlock()
        await bench.lock.unlock()
      })
    })

    it('after three leases of ten seconds and two returns leaves no more than ten seconds', async () => {
      await bench.mine.runAsThread(async () => {
        for (let depth = 0; depth < 3; depth += 1) await bench.lock.lock(10_000)
        await bench.lock.unlock()
        await bench.lock.unlock()
        const leftMs = await bench.lock.remainTimeToLive()
        expect(leftMs).toBeGreaterThan(5_000)
        expect(leftMs).toBeLessThanOrEqual(10_000)
        await bench.lock.unlock()
      })
    })

    if (!bench.shared) {
      it('at the same time from many tasks of different threads mixes up no leases', async () => {
        const leases = [undefined, 5_000, 60_000, undefined, 40_000]
        await Promise.all(
          leases.map((leaseMs) =>
            bench.mine.runAsThread(async () => {
              await bench.lock.lock({ ...(leaseMs !== undefined && { leaseMs }) })
              const leftMs = await bench.lock.remainTimeToLive()
              const promised = leaseMs ?? PATIENT_WATCHDOG_MS
              expect(leftMs).toBeLessThanOrEqual(promised)
              expect(leftMs).toBeGreaterThan(promised / 2)
              await bench.lock.unlock()
            }),
          ),
        )
      })
    }
  })

  describe('entering again with a thread’s id', () => {
    noLeaks(bench.topology)

    it('works from anywhere in the client', async () => {
      await bench.lock.lock({ threadId: 7 })
      expect(await elsewhere(() => bench.lock.tryLock({ threadId: 7 }))).toBe(true)
      expect(await bench.mine.runAsThread(() => bench.lock.getHoldCount(), { threadId: 7 })).toBe(2)
      await bench.lock.unlock({ threadId: 7 })
      expect(await bench.rival.tryLock()).toBe(false)
      await bench.lock.unlock({ threadId: 7 })
      expect(await bench.theirs.isLocked()).toBe(false)
    })
  })
}
