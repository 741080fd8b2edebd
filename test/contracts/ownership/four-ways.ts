import { describe, expect, it } from 'vitest'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { type LockFixture } from '../lock-fixture.js'

export function fourWays(bench: LockFixture): void {
  describe('by withLock()', () => {
    noLeaks(bench.topology)

    it('it is a thread made for the function, another one every time', async () => {
      const first = await bench.lock.withLock((hold) => hold.owner)
      const second = await bench.lock.withLock((hold) => hold.owner)
      expect(first).toMatch(new RegExp(`^${bench.mine.id}:[1-9]\\d*$`))
      expect(second).not.toBe(first)
    })

    it('it enters again three deep, through functions and timers that are awaited, and then the lock is free', async () => {
      const { lock } = bench
      const inATimer = <T>(fn: () => Promise<T>): Promise<T> =>
        new Promise((resolve) => setTimeout(() => resolve(fn())))
      const innermost = () => lock.withLock(() => lock.getHoldCount())
      const middle = () => inATimer(() => lock.withLock(() => inATimer(innermost)))
      expect(await lock.withLock(middle)).toBe(3)
      expect(await bench.theirs.isLocked()).toBe(false)
    })
  })

  describe('by acquire()', () => {
    noLeaks(bench.topology)

    it('it is the hold itself, which enters nowhere a second time', async () => {
      await using hold = await bench.lock.acquire()
      expect(await bench.lock.tryAcquire()).toBeUndefined()
      expect(await bench.lock.tryLock()).toBe(false)
      expect(await bench.lock.isHeldByCurrentThread()).toBe(false)
      expect(await bench.lock.isHeldByThread(hold.threadId)).toBe(true)
    })

    it('it is no thread around it, either', async () => {
      await bench.lock.withLock(async () => {
        expect(await bench.lock.tryAcquire()).toBeUndefined()
      })
      await bench.mine.runAsThread(async () => {
        await using hold = await bench.lock.acquire()
        expect(await bench.lock.tryLock()).toBe(false)
        expect(await bench.lock.getHoldCount()).toBe(0)
        expect(hold.isHeld).toBe(true)
      })
    })
  })

  describe('by runAsThread()', () => {
    noLeaks(bench.topology)

    it('it is the thread, step by step, and through all that it awaits', async () => {
      const { lock } = bench
      const deeper = async () => {
        await lock.lock()
        const count = await lock.getHoldCount()
        await lock.unlock()
        return count
      }
      await bench.mine.runAsThread(async () => {
        await lock.lock()
        expect(await deeper()).toBe(2)
        expect(await lock.isHeldByCurrentThread()).toBe(true)
        await lock.unlock()
      })
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it is another thread for every function', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        expect(await elsewhere(() => bench.mine.runAsThread(() => bench.lock.tryLock()))).toBe(false)
        await bench.lock.unlock()
      })
    })

    it('it returns the result of the function, and passes its errors on', async () => {
      expect(await bench.mine.runAsThread(() => 'plain')).toBe('plain')
      expect(await bench.mine.runAsThread(() => Promise.resolve('later'))).toBe('later')
      await expect(bench.mine.runAsThread(() => Promise.reject(new Error('planted')))).rejects.toThrow(
        'planted',
      )
      const throws = () => {
        throw new Error('planted')
      }
      await expect(bench.mine.runAsThread(throws)).rejects.toThrow('planted')
    })
  })

  describe('by a thread’s id', () => {
    noLeaks(bench.topology)

    it('it is that thread of this client, in Redis as well', async () => {
      await bench.mine.runAsThread(() => bench.lock.lock(), { threadId: 7 })
      expect(await bench.theirs.isHeldByThread(`${bench.mine.id}:7`)).toBe(true)
      await bench.lock.unlock({ threadId: 7 })
    })

    it('it may come back in another scope of the same id', async () => {
      await bench.mine.runAsThread(() => bench.lock.lock(), { threadId: 7 })
      await bench.mine.runAsThread(() => bench.lock.lock(), { threadId: '7' })
      await bench.mine.runAsThread(() => bench.lock.unlock(), { threadId: 7n })
      expect(await bench.mine.runAsThread(() => bench.lock.getHoldCount(), { threadId: 7 })).toBe(1)
      await bench.mine.runAsThread(() => bench.lock.unlock(), { threadId: 7 })
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it('it enters again from any flow, and gives back from any flow', async () => {
      await elsewhere(() => bench.lock.lock({ threadId: 7 }))
      await elsewhere(() => bench.lock.lock({ threadId: 7 }))
      expect(await bench.lock.isHeldByCurrentThread()).toBe(false)
      await elsewhere(() => bench.lock.unlock({ threadId: 7 }))
      expect(await bench.lock.isHeldByThread(7)).toBe(true)
      await elsewhere(() => bench.lock.unlock({ threadId: 7 }))
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('it is not the thread around the call', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock({ threadId: 7 })
        expect(await bench.lock.tryLock()).toBe(false)
        expect(await bench.lock.getHoldCount()).toBe(0)
        await bench.lock.unlock({ threadId: 7 })
      })
    })
  })
}
