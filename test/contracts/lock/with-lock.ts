import { describe, expect, it } from 'vitest'
import { LockLostError, LockTimeoutError } from '../../../src/index.js'
import { lazyThenable } from '../../support/lazy-thenable.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { PATIENT_WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

export function withLock(bench: LockFixture): void {
  describe('withLock()', () => {
    noLeaks(bench.topology)

    it('runs the function while the lock is held, returns its result, and frees the lock', async () => {
      const answer = await bench.lock.withLock(async () => {
        expect(await bench.theirs.isLocked()).toBe(true)
        return 'answer'
      })
      expect(answer).toBe('answer')
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('takes a function that is not asynchronous, and a thenable', async () => {
      expect(await bench.lock.withLock(() => 'plain')).toBe('plain')
      const thenable: PromiseLike<string> = {
        then: (onfulfilled) => Promise.resolve('later').then(onfulfilled),
      }
      expect(await bench.lock.withLock(() => thenable)).toBe('later')
    })

    it('does the work of a thenable that begins with then() as the holder', async () => {
      const { lock } = bench
      const work = lazyThenable(async () => [
        await lock.isHeldByCurrentThread(),
        bench.reentrant && (await lock.withLock(() => lock.getHoldCount(), { waitMs: 0 })),
      ])
      expect(await lock.withLock(() => work)).toEqual([true, bench.reentrant && 2])
      expect(work.runs).toBe(1)
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('hands the hold to the function', async () => {
      const hold = await bench.lock.withLock(async (own) => {
        expect([own.name, own.isHeld, own.signal.aborted]).toEqual([bench.name, true, false])
        expect(await bench.theirs.isHeldByThread(own.owner)).toBe(true)
        return own
      })
      expect(hold.isHeld).toBe(false)
    })

    it.each([
      ['rejects', () => Promise.reject(new Error('planted'))],
      [
        'throws',
        () => {
          throw new Error('planted')
        },
      ],
    ])(
      'frees the lock when the function %s, and passes the error on',
      async (_, fn: () => Promise<never>) => {
        await expect(bench.lock.withLock(fn)).rejects.toThrow('planted')
        expect(await bench.theirs.isLocked()).toBe(false)
      },
    )

    it('passes on the function’s own error even when the lock was lost as well', async () => {
      const failing = bench.lock.withLock(async () => {
        await bench.ask('DEL')
        throw new Error('planted')
      })
      await expect(failing).rejects.toThrow('planted')
    })

    it('rejects when the function succeeded but the lock had been lost', async () => {
      const error: unknown = await bench.lock
        .withLock(async () => {
          await bench.ask('DEL')
          return 'unused'
        })
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(LockLostError)
      expect(error).toMatchObject({ lock: bench.name, reason: 'not-held' })
    })

    it('rejects when the function took longer than its lease', async () => {
      const slow = bench.lock.withLock(() => bench.rival.withLock(() => undefined), { leaseMs: 100 })
      await expect(slow).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    })

    it('aborts the hold’s signal while the function runs', async () => {
      const work = bench.lock.withLock(
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reject(signal.reason as Error)
            })
          }),
        { leaseMs: 100 },
      )
      await expect(work).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    })

    it('lets the function give the lock back itself', async () => {
      const answer = await bench.lock.withLock(async (hold) => {
        await hold.unlock()
        expect(await bench.theirs.isLocked()).toBe(false)
        return 'early'
      })
      expect(answer).toBe('early')
    })

    it('does not let the function give it back by `unlock()` of the lock, which is for `lock()`', async () => {
      await bench.lock.withLock(async (hold) => {
        await expect(bench.lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', owner: hold.owner })
        expect(hold.isHeld).toBe(true)
      })
    })

    it('waits until the lock is free', async () => {
      const resource = new LimitedResource()
      const hold = await bench.rival.acquire()
      const visit = resource.enter()
      const waiter = bench.lock.withLock(() => resource.use(() => 'inside'))
      await bench.untilWaiting()
      visit[Symbol.dispose]()
      await hold.unlock()
      expect(await waiter).toBe('inside')
    })

    it.each([0, 300])('gives up after waitMs (%d), and says so', async (waitMs) => {
      await using hold = await bench.rival.acquire()
      let ran = false
      const error: unknown = await bench.lock
        .withLock(() => (ran = true), { waitMs })
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(LockTimeoutError)
      expect(error).toMatchObject({
        code: 'LOCK_TIMEOUT',
        lock: bench.name,
        waitMs,
        holder: { owner: hold.owner },
      })
      const { message, holder } = error as LockTimeoutError
      expect(message).toBe(
        `Lock ${bench.name} was not free within ${waitMs} ms: it is held by ${hold.owner} for another ` +
          `${String(holder?.remainingMs)} ms`,
      )
      expect(holder?.remainingMs).toBeGreaterThan(0)
      expect(holder?.remainingMs).toBeLessThanOrEqual(PATIENT_WATCHDOG_MS)
      expect(ran).toBe(false)
      expect(hold.isHeld).toBe(true)
    })

    it.each([
      [undefined, PATIENT_WATCHDOG_MS],
      [0, PATIENT_WATCHDOG_MS],
      [60_000, 60_000],
    ])('with leaseMs %o takes a lease of %d ms', async (leaseMs, expected) => {
      const leftMs = await bench.lock.withLock(() => bench.theirs.remainTimeToLive(), {
        ...(leaseMs !== undefined && { leaseMs }),
      })
      expect(leftMs).toBeLessThanOrEqual(expected)
      expect(leftMs).toBeGreaterThan(expected / 2)
    })

    if (bench.reentrant) {
      it('enters again inside itself, and the lock is free after the outermost', async () => {
        const { lock } = bench
        const counts = await lock.withLock(async (outer) => {
          const inside = await lock.withLock(async (inner) => {
            expect(inner.owner).toBe(outer.owner)
            return lock.getHoldCount()
          })
          return [inside, await lock.getHoldCount()]
        })
        expect(counts).toEqual([2, 1])
        expect(await bench.theirs.isLocked()).toBe(false)
      })
    }

    if (bench.reentrant) {
      it('lets `lock()` and `unlock()` inside be of the same owner', async () => {
        await bench.lock.withLock(async (hold) => {
          await bench.lock.lock()
          expect(await bench.lock.getHoldCount()).toBe(2)
          await bench.lock.unlock()
          expect(await bench.theirs.isHeldByThread(hold.owner)).toBe(true)
        })
        expect(await bench.theirs.isLocked()).toBe(false)
      })
    }
  })
}
