import { describe, expect, it } from 'vitest'
import { noLeaks } from '../../support/no-leaks.js'
import { type LockFixture } from '../lock-fixture.js'

export function forcing(bench: LockFixture): void {
  describe('forcing it open', () => {
    noLeaks(bench.topology)

    it('returns whether it was held', async () => {
      expect(await bench.lock.forceUnlock()).toBe(false)
      const hold = await bench.lock.acquire()
      expect(await bench.lock.forceUnlock()).toBe(true)
      expect(await bench.lock.forceUnlock()).toBe(false)
      expect(hold.isHeld).toBe(false)
    })

    if (bench.reentrant) {
      it('frees it, for any owner and any hold count', async () => {
        await bench.mine.runAsThread(async () => {
          await bench.lock.lock()
          await bench.lock.lock()
          expect(await bench.theirs.forceUnlock()).toBe(true)
          expect(await bench.lock.isLocked()).toBe(false)
          expect(await bench.lock.getHoldCount()).toBe(0)
        })
      })
    }

    it('by the client that holds it notifies the holder at once', async () => {
      const hold = await bench.lock.acquire()
      await bench.lock.forceUnlock()
      expect(hold.isHeld).toBe(false)
      expect(hold.signal.aborted).toBe(true)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', owner: hold.owner, reason: 'forced' })
      await hold[Symbol.asyncDispose]()
    })

    it('lets in who waits', async () => {
      await bench.lock.acquire({ leaseMs: 60_000 })
      const waiter = bench.rival.acquire()
      await bench.untilWaiting()
      await bench.lock.forceUnlock()
      await (await waiter).unlock()
    })

    it('takes nothing from the next owner', async () => {
      const first = await bench.lock.acquire()
      await bench.theirs.forceUnlock()
      const second = await bench.theirs.acquire()
      await expect(first.unlock()).rejects.toMatchObject({
        code: 'NOT_HELD',
        holder: { owner: second.owner },
      })
      expect(await bench.lock.isHeldByThread(second.owner)).toBe(true)
      await second.unlock()
    })

    if (bench.reentrant) {
      it('makes a thread’s count begin anew', async () => {
        await bench.mine.runAsThread(async () => {
          await bench.lock.lock()
          await bench.lock.lock()
          await bench.theirs.forceUnlock()
          await bench.lock.lock()
          expect(await bench.lock.getHoldCount()).toBe(1)
          await bench.lock.unlock()
          expect(await bench.lock.isLocked()).toBe(false)
        })
      })
    }
  })
}
