import { describe, expect, it } from 'vitest'
import { LockNotHeldError, type RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { type LockFixture } from '../lock-fixture.js'

/** Every way to hold a lock, and to give it back. */
const holders: readonly (readonly [string, (bench: LockFixture) => Promise<() => Promise<void>>])[] = [
  [
    'lock()',
    async ({ lock }) => {
      const { promise: giveBack, resolve } = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const flow = elsewhere(async () => {
        await lock.lock()
        held.resolve()
        await giveBack
        await lock.unlock()
      })
      await held.promise
      return () => {
        resolve()
        return flow
      }
    },
  ],
  [
    'acquire()',
    async ({ lock }) => {
      const hold = await lock.acquire()
      return () => hold.unlock()
    },
  ],
  [
    'withLock()',
    async ({ lock }) => {
      const inside = Promise.withResolvers<void>()
      const leave = Promise.withResolvers<void>()
      const flow = elsewhere(() =>
        lock.withLock(() => {
          inside.resolve()
          return leave.promise
        }),
      )
      await inside.promise
      return () => {
        leave.resolve()
        return flow
      }
    },
  ],
  [
    'lock({ threadId })',
    async ({ lock }) => {
      await lock.lock({ threadId: 7 })
      return () => lock.unlock({ threadId: 7 })
    },
  ],
]

const strangers: readonly (readonly [string, (bench: LockFixture) => Promise<void>])[] = [
  ['another flow', ({ lock }) => elsewhere(() => lock.unlock())],
  ['a thread', ({ lock, mine }) => elsewhere(() => mine.runAsThread(() => lock.unlock()))],
  ['a thread of another id', ({ lock }) => lock.unlock({ threadId: 8 })],
  ['a second client', ({ theirs }) => elsewhere(() => theirs.unlock())],
  ['the same thread of a second client', ({ theirs }) => theirs.unlock({ threadId: 7 })],
]

export function strangersToIt(bench: LockFixture): void {
  describe.each(holders)('held by %s', (_, hold) => {
    noLeaks(bench.topology)

    it.each(strangers)('%s cannot give it back, and the holder keeps it', async (_, unlock) => {
      const giveBack = await hold(bench)
      await expect(unlock(bench)).rejects.toBeInstanceOf(LockNotHeldError)
      expect(await bench.lock.isLocked()).toBe(true)
      await giveBack() // rejects if it had been lost
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('a caller that fails to take it frees nothing by a careless unlock()', async () => {
      const giveBack = await hold(bench)
      const careless = async (lock: RLock) => {
        try {
          return await lock.tryLock()
        } finally {
          await lock.unlock()
        }
      }
      for (const lock of [bench.lock, bench.theirs]) {
        await expect(elsewhere(() => careless(lock))).rejects.toBeInstanceOf(LockNotHeldError)
      }
      expect(await bench.lock.isLocked()).toBe(true)
      await giveBack()
    })

    it('is reported to a caller that fails: the lock, the holder, its time, and what to use instead', async () => {
      const giveBack = await hold(bench)
      const error: unknown = await elsewhere(() => bench.lock.unlock()).catch((reason: unknown) => reason)
      const { holder, message } = error as LockNotHeldError
      expect(await bench.lock.isHeldByThread(String(holder?.owner))).toBe(true)
      for (const part of [bench.name, holder?.owner, `${String(holder?.remainingMs)} ms`]) {
        expect(message).toContain(part)
      }
      for (const form of ['withLock()', 'acquire()', 'runAsThread()']) expect(message).toContain(form)
      await giveBack()
    })

    it('is reported to a thread as well, by its own owner', async () => {
      const giveBack = await hold(bench)
      await bench.mine.runAsThread(
        () => expect(bench.lock.unlock()).rejects.toMatchObject({ owner: `${bench.mine.id}:8` }),
        { threadId: 8 },
      )
      await giveBack()
    })
  })

  describe('that is free', () => {
    noLeaks(bench.topology)

    it.each(strangers)('%s cannot give it back', async (_, unlock) => {
      await expect(unlock(bench)).rejects.toBeInstanceOf(LockNotHeldError)
    })
  })
}
