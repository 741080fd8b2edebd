import { describe, expect, it } from 'vitest'
import { LockTimeoutError, type RLock } from '../../../src/index.js'
import { channelsOf } from '../../support/channels.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { type LockFixture } from '../lock-fixture.js'

export function waiting(bench: LockFixture): void {
  describe('waiting for it', () => {
    noLeaks(bench.topology)

    it.each(['the same client', 'another client'] as const)(
      'ends when the holder of %s gives it back',
      async (whose) => {
        const client = whose === 'the same client' ? bench.mine : bench.other
        const hold = await bench.rivalOf(client, bench.name).acquire({ leaseMs: 60_000 })
        const waiter = bench.lock.acquire()
        await bench.untilWaiting()
        await hold.unlock()
        await (await waiter).unlock()
      },
    )

    it('lasts for its time limit, and then returns false', async () => {
      const hold = await bench.rival.acquire()
      const startedAt = performance.now()
      expect(await bench.lock.tryLock(200)).toBe(false)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199)
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })

    it.each([
      ['lock', (lock: RLock) => lock.lock({ waitMs: 300 })],
      ['acquire', (lock: RLock) => lock.acquire({ waitMs: 300 })],
    ] as const)('by %s() rejects when its time is over', async (_, take) => {
      const hold = await bench.rival.acquire()
      const error = await take(bench.lock).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(LockTimeoutError)
      await hold.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('without success leaves no channel behind, and no late acquisition', async () => {
      const hold = await bench.rival.acquire()
      expect(await bench.lock.tryAcquire({ waitMs: 300 })).toBeUndefined()
      await eventually(async () => (await channelsOf(bench.topology)).length === 0)
      await hold.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('without success delays no longer waiter', async () => {
      const hold = await bench.rival.acquire()
      const patient = bench.lock.acquire()
      await bench.untilWaiting()
      const hasty = [1, 2, 3].map((_, index) => bench.lock.tryAcquire({ waitMs: 100 * (index + 2) }))
      expect(await Promise.all(hasty)).toEqual([undefined, undefined, undefined])
      await hold.unlock()
      await (await patient).unlock()
    })

    it('of the first without success lets those behind it go on', { tags: ['timed'] }, async () => {
      const hold = await bench.rival.acquire()
      const hasty = bench.lock.tryAcquire({ waitMs: 300 })
      await bench.untilWaiting()
      const patient = bench.lock.acquire()
      expect(await hasty).toBeUndefined()
      await hold.unlock()
      await (await patient).unlock()
    })

    if (!bench.shared) {
      it('lets one in at a time, whichever client they come from', async () => {
        const resource = new LimitedResource()
        const hold = await bench.mine.getLock(`${bench.name}-unrelated`).acquire()
        const visit = async (lock: typeof bench.lock) => {
          await lock.lock()
          try {
            await resource.use(() => lock.isLocked())
          } finally {
            await lock.unlock()
          }
        }
        const visits = Array.from({ length: 40 }, (_, index) =>
          elsewhere(() => visit(index % 2 === 0 ? bench.lock : bench.theirs)),
        )
        await Promise.all(visits)
        expect(resource.entries).toBe(40)
        await hold.unlock()
      })
    }

    if (bench.waitsBy === 'messages') {
      it('for several locks at once takes each when it is free', async () => {
        const names = [1, 2, 3, 4].map((each) => `${bench.name}-${String(each)}`)
        const held = await Promise.all(names.map((name) => bench.rivalOf(bench.other, name).acquire()))
        const waiters = names.map((name) => bench.lockOf(bench.mine, name).acquire())
        await eventually(async () => (await channelsOf(bench.topology)).length === names.length)
        for (const [index, hold] of held.entries()) {
          await hold.unlock()
          await (await waiters[index])?.unlock()
        }
      })
    }
  })
}
