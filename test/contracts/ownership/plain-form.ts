import { AsyncResource } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { BRIEFLY_MS, untilFree, type LockFixture } from '../lock-fixture.js'
import { handedOver } from '../take-briefly.js'

export function plainForm(bench: LockFixture): void {
  describe('by a plain lock()', () => {
    noLeaks(bench.topology)

    it('it is a fresh owner every time, which never enters again', async () => {
      await bench.lock.lock()
      expect(await bench.lock.tryLock()).toBe(false)
      expect(await bench.lock.getHoldCount()).toBe(1)
      await bench.lock.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is found by unlock() later in the same flow, after any await in between', async () => {
      const { lock } = bench
      await lock.lock()
      await nextTurn()
      await Promise.all([nextTurn(), nextTurn()])
      expect(await lock.isHeldByCurrentThread()).toBe(true)
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
      expect(await lock.isHeldByCurrentThread()).toBe(false)
      expect(await lock.getHoldCount()).toBe(0)
    })

    it('it is found from all that the flow has started since', async () => {
      const { lock } = bench
      const ways: readonly ((unlock: () => Promise<void>) => Promise<void>)[] = [
        (unlock) => new Promise((resolve) => setTimeout(() => resolve(unlock()))),
        (unlock) => new Promise((resolve) => process.nextTick(() => resolve(unlock()))),
        (unlock) => new AsyncResource('test').runInAsyncScope(unlock),
        (unlock) => Promise.resolve().then(unlock),
        async (unlock) => {
          const emitter = new EventEmitter()
          const unlocked = new Promise<void>((resolve) => emitter.once('done', () => resolve(unlock())))
          emitter.emit('done')
          await unlocked
        },
      ]
      for (const way of ways) {
        await lock.lock()
        await way(() => lock.unlock())
        expect(await lock.isLocked()).toBe(false)
      }
    })

    it('it is found through another object for the same lock', async () => {
      await bench.lockOf(bench.mine, bench.name).lock()
      await bench.lockOf(bench.mine, bench.name).unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is found inside a runAsThread() that the flow has begun since', async () => {
      await bench.lock.lock()
      await bench.mine.runAsThread(() => bench.lock.unlock())
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is not found in a flow that had begun before', async () => {
      const gate = Promise.withResolvers<void>()
      const before = gate.promise.then(() => bench.lock.unlock())
      await bench.lock.lock()
      gate.resolve()
      await expect(before).rejects.toMatchObject({ code: 'NOT_HELD', owner: undefined })
      expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
      await bench.lock.unlock()
    })

    it('it is not found where lock() was not awaited, and the error asks about that', async () => {
      const { locking, unlock } = elsewhere(() => ({
        locking: bench.lock.lock(),
        unlock: AsyncResource.bind(() => bench.lock.unlock()),
      }))
      await locking
      const error: unknown = await bench.lock.unlock().catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        code: 'NOT_HELD',
        message: expect.stringMatching(/ \(this client\) .*; was lock\(\) awaited\? /),
      })
      await unlock()
    })

    it('it is that of the helper’s caller if the helper asks at once', async () => {
      const helper = async () => {
        await bench.lock.lock()
        await nextTurn()
      }
      await helper()
      await bench.lock.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is the helper’s alone if the helper asks after it has awaited something', async () => {
      let giveBack = () => Promise.resolve()
      const helper = async () => {
        await nextTurn()
        await bench.lock.lock()
        giveBack = AsyncResource.bind(() => bench.lock.unlock())
      }
      await helper()
      await expect(bench.lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      await giveBack()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is no longer found when it was given back', async () => {
      await bench.lock.lock()
      await bench.lock.unlock()
      await using hold = await bench.theirs.acquire()
      await expect(bench.lock.unlock()).rejects.toMatchObject({
        code: 'NOT_HELD',
        owner: undefined,
        holder: { owner: hold.owner },
      })
      expect(await bench.lock.isHeldByCurrentThread()).toBe(false)
      expect(await bench.lock.getHoldCount()).toBe(0)
    })

    it('it is given back by one of two calls at the same time, and the lock of the next is safe from the other', async () => {
      await bench.lock.lock()
      const next = bench.theirs.acquire()
      await bench.untilWaiting()
      const outcomes = await Promise.allSettled([bench.lock.unlock(), bench.lock.unlock()])
      expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'NOT_HELD' } }])
      await using hold = await next
      expect(await bench.theirs.isHeldByThread(hold.owner)).toBe(true)
    })

    it('it is distinguished from another lock’s, in any order of release', async () => {
      const [a, b] = [bench.spot(), bench.spot()]
      for (const order of [
        [a, b],
        [b, a],
      ]) {
        await a.lock.lock()
        await b.lock.lock()
        for (const { lock, theirs } of order) {
          await lock.unlock()
          expect(await theirs.isLocked()).toBe(false)
        }
      }
    })

    it('it is distinguished from that of another client with the same lock', async () => {
      await bench.lock.lock()
      await expect(bench.theirs.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', owner: undefined })
      expect(await bench.theirs.isHeldByCurrentThread()).toBe(false)
      expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
      await bench.lock.unlock()
    })

    it('it is the newest where an older one has been lost', async () => {
      while (!(await handedOver(bench.lock.lock(BRIEFLY_MS))));
      await untilFree(bench.theirs)
      await bench.lock.lock()
      expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
      await bench.lock.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
      await expect(bench.lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    })

    it('it is still the flow’s own after a nested attempt has failed, for any reason', async () => {
      const { lock } = bench
      const attempts: readonly ((lock: RLock) => Promise<unknown>)[] = [
        (own) => own.tryLock(),
        (own) => own.tryLock(300),
        (own) => own.tryAcquire(),
        (own) => own.lock({ signal: AbortSignal.timeout(10) }),
        (own) => own.lock(NaN),
        (own) => own.withLock(() => undefined, { waitMs: 0 }),
      ]
      for (const attempt of attempts) {
        await lock.lock()
        await attempt(lock).catch(() => undefined)
        expect(await lock.isHeldByCurrentThread()).toBe(true)
        await lock.unlock()
        expect(await lock.isLocked()).toBe(false)
      }
    })

    it('it costs a flow nothing that takes and gives back for a long time', async () => {
      for (let round = 0; round < 300; round += 1) {
        const { lock } = bench.spot()
        await lock.lock()
        await lock.unlock()
      }
      expect(await bench.lock.isHeldByCurrentThread()).toBe(false)
    })
  })

  describe('by a plain lock() around other ways', () => {
    noLeaks(bench.topology)

    it('it gives back nothing that was taken otherwise', async () => {
      await bench.lock.lock({ threadId: 7 })
      await expect(bench.lock.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      await bench.lock.unlock({ threadId: 7 })
      await bench.lock.lock()
      await bench.lock.unlock()
    })
  })
}
