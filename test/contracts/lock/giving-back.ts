import { describe, expect, it } from 'vitest'
import { LockNotHeldError } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { BRIEFLY_MS, untilFree, type LockFixture } from '../lock-fixture.js'
import { handedOver, takeBriefly } from '../take-briefly.js'

export function givingBack(bench: LockFixture): void {
  describe('giving it back', () => {
    noLeaks(bench.topology)

    it('is rejected for another thread of the same client, with the name of the holder', async () => {
      const hold = await bench.lock.acquire()
      const error = await refusal(elsewhere(() => bench.lock.unlock()))
      expect(error).toMatchObject({
        name: 'LockNotHeldError',
        code: 'NOT_HELD',
        lock: bench.name,
        owner: undefined,
        holder: { owner: hold.owner },
      })
      expect(error.holder?.remainingMs).toBeGreaterThan(0)
      expect(error.message).toContain(`The caller does not hold lock ${bench.name}.`)
      expect(error.message).toContain(
        `It is held by ${hold.owner} (this client) for another ${String(error.holder?.remainingMs)} ms; was lock() awaited?`,
      )
      await hold.unlock()
    })

    it('is refused to another client', async () => {
      await bench.lock.lock()
      await expect(bench.theirs.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
      expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
      await bench.lock.unlock()
    })

    it('is rejected while it is free, and creates nothing', async () => {
      const error = await refusal(bench.lock.unlock())
      expect(error).toMatchObject({ owner: undefined, holder: undefined })
      expect(error.message).toContain('It is not locked.')
    })

    it('is refused the second time', async () => {
      await bench.lock.lock()
      await bench.lock.unlock()
      await expect(bench.lock.unlock()).rejects.toBeInstanceOf(LockNotHeldError)
    })

    it('is refused when the lease has ended', async () => {
      while (!(await handedOver(bench.lock.lock(BRIEFLY_MS))));
      await untilFree(bench.theirs)
      const error = await refusal(bench.lock.unlock())
      expect(error).toMatchObject({ holder: undefined, cause: { code: 'LOCK_LOST', reason: 'expired' } })
      expect(error.message).toMatch(new RegExp(`It is not locked. Its lease of ${BRIEFLY_MS} ms ended.$`))
    })

    it('is refused with the loss as the cause until the lock is taken again', async () => {
      await bench.mine.runAsThread(async () => {
        await takeBriefly(() => bench.lock.lock(BRIEFLY_MS))
        await untilFree(bench.theirs)
        const refusals = [await refusal(bench.lock.unlock()), await refusal(bench.lock.unlock())]
        const cause = { code: 'LOCK_LOST', reason: 'expired' }
        expect(refusals).toMatchObject([{ cause }, { cause }])
        await bench.lock.lock()
        await bench.lock.unlock()
        expect(await refusal(bench.lock.unlock())).not.toMatchObject({ cause: { code: 'LOCK_LOST' } })
      })
    })

    if (!bench.shared) {
      it('is rejected when the lease has ended and another owner has it, which keeps the lock', async () => {
        while (!(await handedOver(bench.lock.lock(BRIEFLY_MS))));
        const hold = await bench.theirs.acquire()
        expect(await refusal(bench.lock.unlock())).toMatchObject({ holder: { owner: hold.owner } })
        expect(await bench.theirs.isHeldByThread(hold.threadId)).toBe(true)
        await hold.unlock()
      })
    }

    it('names the owner that let the lease end, and no ids that the program did not choose', async () => {
      while (!(await handedOver(bench.lock.lock(BRIEFLY_MS))));
      await untilFree(bench.theirs)
      const error = await refusal(bench.lock.unlock())
      expect(error.owner).toMatch(new RegExp(`^${bench.mine.id}:\\d+$`))
      expect(error.message).not.toContain('threadId')
    })
  })

  describe('giving it back for a thread', () => {
    noLeaks(bench.topology)

    it('needs the id that took it', async () => {
      await bench.lock.lock({ threadId: 7 })
      expect(await refusal(bench.lock.unlock({ threadId: 8 }))).toMatchObject({
        owner: `${bench.mine.id}:8`,
        holder: { owner: `${bench.mine.id}:7` },
      })
      await elsewhere(() => bench.lock.unlock({ threadId: 7 }))
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('needs the id of the same client, unless it names the whole owner', async () => {
      await bench.lock.lock({ threadId: 7 })
      await expect(bench.theirs.unlock({ threadId: 7 })).rejects.toBeInstanceOf(LockNotHeldError)
      await bench.theirs.unlock({ threadId: `${bench.mine.id}:7` })
      expect(await bench.lock.isLocked()).toBe(false)
    })

    if (!bench.shared) {
      it('lets each id see its own state', async () => {
        await bench.lock.lock({ threadId: 1 })
        expect(await bench.lock.isHeldByThread(1)).toBe(true)
        expect(await bench.lock.isHeldByThread(2)).toBe(false)
        expect(await bench.theirs.isHeldByThread(1)).toBe(false)
        expect(await bench.theirs.isHeldByThread(`${bench.mine.id}:1`)).toBe(true)
        expect(await bench.lock.tryLock({ threadId: 2 })).toBe(false)

        const second = bench.lock.tryLock({ threadId: 2, waitMs: 15_000 })
        await bench.untilWaiting()
        await bench.lock.unlock({ threadId: 1 })
        expect(await second).toBe(true)
        expect(await bench.lock.isHeldByThread(1)).toBe(false)
        expect(await bench.lock.isHeldByThread(2)).toBe(true)
        await bench.lock.unlock({ threadId: 2 })
      })
    }

    it.each([7, 7n, '7'])('takes %o for the same thread', async (threadId) => {
      await bench.lock.lock({ threadId })
      expect(await bench.lock.isHeldByThread(7)).toBe(true)
      await bench.lock.unlock({ threadId: 7 })
    })
  })
}

async function refusal(unlocked: Promise<void>): Promise<LockNotHeldError> {
  const error: unknown = await unlocked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LockNotHeldError)
  return error as LockNotHeldError
}
