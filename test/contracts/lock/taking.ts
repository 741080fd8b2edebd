import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { PATIENT_WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

const LEASE_MS = 60_000
const WAIT_MS = 15_000

interface Form {
  readonly form: string
  /** Takes the lock; returns how to give it back, or undefined. */
  readonly take: (lock: RLock) => Promise<(() => Promise<void>) | undefined>
  readonly lease: number
}

/** Every way to ask for a lock that waits for it. */
const patient: readonly Form[] = [
  { form: 'lock()', take: (lock) => taken(lock, lock.lock()), lease: PATIENT_WATCHDOG_MS },
  { form: 'lock(leaseMs)', take: (lock) => taken(lock, lock.lock(LEASE_MS)), lease: LEASE_MS },
  { form: 'lock({})', take: (lock) => taken(lock, lock.lock({})), lease: PATIENT_WATCHDOG_MS },
  {
    form: 'lock({ leaseMs })',
    take: (lock) => taken(lock, lock.lock({ leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
  { form: 'tryLock(waitMs)', take: (lock) => tried(lock, lock.tryLock(WAIT_MS)), lease: PATIENT_WATCHDOG_MS },
  {
    form: 'tryLock(waitMs, leaseMs)',
    take: (lock) => tried(lock, lock.tryLock(WAIT_MS, LEASE_MS)),
    lease: LEASE_MS,
  },
  {
    form: 'tryLock({ waitMs })',
    take: (lock) => tried(lock, lock.tryLock({ waitMs: WAIT_MS })),
    lease: PATIENT_WATCHDOG_MS,
  },
  {
    form: 'tryLock({ waitMs, leaseMs })',
    take: (lock) => tried(lock, lock.tryLock({ waitMs: WAIT_MS, leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
  { form: 'acquire()', take: (lock) => acquired(lock.acquire()), lease: PATIENT_WATCHDOG_MS },
  {
    form: 'acquire({ leaseMs })',
    take: (lock) => acquired(lock.acquire({ leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
  {
    form: 'tryAcquire({ waitMs, leaseMs })',
    take: (lock) => acquired(lock.tryAcquire({ waitMs: WAIT_MS, leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
]

/** Every way to ask for a lock that asks once. */
const hasty: readonly Form[] = [
  { form: 'tryLock()', take: (lock) => tried(lock, lock.tryLock()), lease: PATIENT_WATCHDOG_MS },
  { form: 'tryLock(0)', take: (lock) => tried(lock, lock.tryLock(0)), lease: PATIENT_WATCHDOG_MS },
  { form: 'tryLock(-1)', take: (lock) => tried(lock, lock.tryLock(-1)), lease: PATIENT_WATCHDOG_MS },
  { form: 'tryLock(0, leaseMs)', take: (lock) => tried(lock, lock.tryLock(0, LEASE_MS)), lease: LEASE_MS },
  { form: 'tryLock({})', take: (lock) => tried(lock, lock.tryLock({})), lease: PATIENT_WATCHDOG_MS },
  {
    form: 'tryLock({ leaseMs })',
    take: (lock) => tried(lock, lock.tryLock({ leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
  { form: 'tryAcquire()', take: (lock) => acquired(lock.tryAcquire()), lease: PATIENT_WATCHDOG_MS },
  {
    form: 'tryAcquire({ leaseMs })',
    take: (lock) => acquired(lock.tryAcquire({ leaseMs: LEASE_MS })),
    lease: LEASE_MS,
  },
]

export function taking(bench: LockFixture): void {
  describe('taking it', () => {
    noLeaks(bench.topology)

    it.each([...patient, ...hasty])('$form takes a lock that is free', async ({ take, lease }) => {
      const giveBack = await take(bench.lock)
      expect(await bench.theirs.isLocked()).toBe(true)
      const leftMs = await bench.theirs.remainTimeToLive()
      expect(leftMs).toBeLessThanOrEqual(lease)
      expect(leftMs).toBeGreaterThan(lease / 2)
      await giveBack?.()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it.each(patient)('$form waits until the holder has given it back', async ({ take }) => {
      const resource = new LimitedResource()
      const hold = await bench.rival.acquire()
      const visit = resource.enter()
      const waiter = elsewhere(async () => {
        const giveBack = await take(bench.lock)
        await resource.use(() => giveBack?.())
      })
      await bench.untilWaiting()
      visit[Symbol.dispose]()
      await hold.unlock()
      await waiter
      expect(resource.entries).toBe(2)
    })

    it.each(hasty)('$form takes no lock that is held', async ({ take }) => {
      const hold = await bench.rival.acquire()
      expect(await take(bench.lock)).toBeUndefined()
      expect(await bench.rival.isHeldByThread(hold.threadId)).toBe(true)
      await hold.unlock()
    })

    it('is seen by every client, for any owner', async () => {
      const locks = [bench.lock, bench.lock, bench.theirs]
      const seen = () => Promise.all(locks.map((lock) => lock.isLocked()))
      expect(await seen()).toEqual([false, false, false])
      await bench.lock.lock()
      expect(await seen()).toEqual([true, true, true])
      await bench.lock.unlock()
      expect(await seen()).toEqual([false, false, false])
    })

    it('works again and again on one object', async () => {
      const { lock } = bench
      for (let round = 0; round < 3; round += 1) {
        await lock.lock()
        expect(await lock.isHeldByCurrentThread()).toBe(true)
        await lock.unlock()
        expect(await lock.tryLock()).toBe(true)
        await lock.unlock()
        expect(await lock.isHeldByCurrentThread()).toBe(false)
      }
    })

    it('knows its name', () => {
      expect(bench.lock.name).toBe(bench.name)
    })

    it('has nothing to do with locks of other names', async () => {
      const another = bench.lockOf(bench.mine, `${bench.name}-another`)
      await bench.lock.lock()
      expect(await another.isLocked()).toBe(false)
      expect(await another.tryLock()).toBe(true)
      await bench.lock.unlock()
      expect(await another.isLocked()).toBe(true)
      await another.unlock()
    })
  })
}

async function taken(lock: RLock, answer: Promise<unknown>): Promise<() => Promise<void>> {
  await answer
  return () => lock.unlock()
}

async function tried(lock: RLock, answer: Promise<boolean>): Promise<(() => Promise<void>) | undefined> {
  return (await answer) ? () => lock.unlock() : undefined
}

async function acquired(
  answer: Promise<{ unlock(): Promise<void> } | undefined>,
): Promise<(() => Promise<void>) | undefined> {
  const hold = await answer
  return hold && (() => hold.unlock())
}
