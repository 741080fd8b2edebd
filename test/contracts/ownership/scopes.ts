import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ForkedThreadError, LockTimeoutError, type LockHold, type RLock } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { lazyThenable } from '../../support/lazy-thenable.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { BRIEFLY_MS, untilFree, type LockFixture } from '../lock-fixture.js'
import { takeBriefly } from '../take-briefly.js'
import { standStill } from '../../support/stand-still.js'

export function scopes(bench: LockFixture): void {
  describe('inside a scope that holds it', () => {
    noLeaks(bench.topology)

    it('withLock() enters again as the holder, in any kind of scope', async () => {
      const enterAgain = () =>
        bench.lock.withLock(async (hold) => [hold.threadId, await bench.lock.getHoldCount()])
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        const [threadId, count] = await enterAgain()
        expect(await bench.lock.isHeldByThread(String(threadId))).toBe(true)
        expect(count).toBe(2)
        await bench.lock.unlock()
      })
      const [outer, inner] = await bench.lock.withLock(async (hold) => [
        [hold.threadId, 2],
        await enterAgain(),
      ])
      expect(inner).toEqual(outer)
    })

    it('lock() belongs to the nearest thread around that holds it', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        await bench.mine.runAsThread(async () => {
          await bench.lock.lock()
          expect(await bench.lock.getHoldCount()).toBe(2)
          await bench.lock.unlock()
        })
        expect(await bench.lock.getHoldCount()).toBe(1)
        await bench.lock.unlock()
      })
    })

    it('the work of a thenable that begins with then() belongs to the thread of its function', async () => {
      const take = () => lazyThenable(() => bench.lock.lock())
      await bench.mine.runAsThread(take, { threadId: 7 })
      expect(await bench.lock.isHeldByThread(7)).toBe(true)
      await bench.mine.runAsThread(() => lazyThenable(() => bench.lock.unlock()), { threadId: 7 })
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('unlock() belongs to the nearest thread around that holds it', async () => {
      await bench.mine.runAsThread(async () => {
        await bench.lock.lock()
        await bench.mine.runAsThread(() => bench.lock.unlock())
        expect(await bench.lock.isLocked()).toBe(false)
      })
    })

    it('the hold that withLock() hands over ends its own entry and no other', async () => {
      await bench.lock.withLock(async (outer) => {
        await bench.lock.withLock(async (inner) => {
          await inner.unlock()
          expect([inner.isHeld, outer.isHeld]).toEqual([false, true])
          expect(await bench.lock.getHoldCount()).toBe(1)
        })
        expect(outer.isHeld).toBe(true)
      })
    })
  })

  describe('inside a scope that does not hold it', () => {
    noLeaks(bench.topology)

    it('withLock() makes a thread of its own for the function', async () => {
      await bench.mine.runAsThread(() => bench.lock.withLock((hold) => expect(hold.threadId).not.toBe('1')), {
        threadId: 1,
      })
    })

    it.each<[string, (fn: () => Promise<unknown>) => Promise<unknown>]>([
      ['at the top', (fn) => fn()],
      ['inside runAsThread()', (fn) => bench.mine.runAsThread(fn)],
      ['inside withLock() of another lock', (fn) => bench.spot().lock.withLock(fn)],
      [
        'while another lock is held',
        async (fn) => {
          await using _hold = await bench.spot().lock.acquire()
          return await fn()
        },
      ],
      [
        'while another lock is held by lock()',
        async (fn) => {
          const { lock } = bench.spot()
          await lock.lock()
          await fn()
          await lock.unlock()
        },
      ],
      ['after a scope has ended', async (fn) => (await bench.mine.runAsThread(() => detached(fn)))()],
    ])('two withLock() side by side exclude each other %s', async (_, around) => {
      const resource = new LimitedResource()
      const branch = () => bench.lock.withLock(() => resource.use(() => nextTurn()))
      await around(() => Promise.all([branch(), branch()]))
      expect(resource.entries).toBe(2)
    })
  })

  describe('branches inside a hold of it that take it again', () => {
    noLeaks(bench.topology)

    it('go one at a time, three under one withLock()', async () => {
      const resource = new LimitedResource()
      await bench.lock.withLock(async () => {
        const branch = () =>
          bench.lock.withLock(async (hold) => {
            expect(await bench.lock.getHoldCount()).toBe(2)
            await resource.use(() => bench.lock.isHeldByThread(hold.owner))
          })
        await Promise.all([branch(), branch(), branch()])
      })
      expect(resource.entries).toBe(3)
    })

    it('go one at a time when they come later, one after the other', async () => {
      const resource = new LimitedResource()
      await bench.lock.withLock(async () => {
        const branch = async (turns: number) => {
          for (let turn = 0; turn < turns; turn += 1) await nextTurn()
          await bench.lock.withLock(() => resource.use(() => bench.lock.isLocked()))
        }
        await Promise.all([0, 1, 2, 3, 4].map(branch))
      })
      expect(resource.entries).toBe(5)
    })

    it('go one at a time with deeper branches, of which only the descendants get in', async () => {
      const outer = new LimitedResource()
      const inner = new LimitedResource()
      await bench.lock.withLock(async () => {
        const leaf = () => bench.lock.withLock(() => inner.use(() => bench.lock.getHoldCount()))
        const branch = () => bench.lock.withLock(() => outer.use(() => Promise.all([leaf(), leaf()])))
        expect(await Promise.all([branch(), branch(), branch()])).toEqual([
          [3, 3],
          [3, 3],
          [3, 3],
        ])
      })
      expect([outer.entries, inner.entries]).toEqual([3, 6])
    })

    it('wait for each other inside the process, and ask Redis nothing meanwhile', async () => {
      await bench.lock.withLock(async () => {
        const inside = Promise.withResolvers<void>()
        const leave = Promise.withResolvers<void>()
        const first = bench.lock.withLock(async () => {
          inside.resolve()
          await leave.promise
        })
        await inside.promise
        await using monitor = await Monitor.of(bench.topology.nodes)
        const second = bench.lock.withLock(() => 'entered')
        await nextTurn()
        expect((await monitor.deedsOn(bench.name)).filter(isAcquisition)).toEqual([])
        leave.resolve()
        await first
        expect(await second).toBe('entered')
      })
    })

    it('give up waiting for each other when their time is over, or their signal says so', async () => {
      await bench.lock.withLock(async () => {
        const inside = Promise.withResolvers<void>()
        const leave = Promise.withResolvers<void>()
        const first = bench.lock.withLock(async () => {
          inside.resolve()
          await leave.promise
        })
        await inside.promise
        await expect(bench.lock.withLock(() => undefined, { waitMs: 0 })).rejects.toBeInstanceOf(
          LockTimeoutError,
        )
        await expect(bench.lock.withLock(() => undefined, { waitMs: 300 })).rejects.toBeInstanceOf(
          LockTimeoutError,
        )
        expect(await bench.lock.tryLock()).toBe(false)
        const signal = AbortSignal.timeout(10)
        await expect(bench.lock.withLock(() => undefined, { signal })).rejects.toMatchObject({
          name: 'TimeoutError',
        })
        leave.resolve()
        await first
        expect(await bench.lock.getHoldCount()).toBe(1)
      })
    })

    it('go on when one of them fails', async () => {
      await bench.lock.withLock(async () => {
        const outcomes = await Promise.allSettled([
          bench.lock.withLock(() => Promise.reject(new Error('planted'))),
          bench.lock.withLock(() => 'second'),
        ])
        expect(outcomes).toMatchObject([{ status: 'rejected' }, { value: 'second' }])
        expect(await bench.lock.getHoldCount()).toBe(1)
      })
    })

    it('exclude each other also where one takes it by lock()', async () => {
      const resource = new LimitedResource()
      await bench.lock.withLock(async () => {
        const byScope = bench.lock.withLock(() => resource.use(() => bench.lock.isLocked()))
        const byStep = async () => {
          await bench.lock.lock()
          await resource.use(() => bench.lock.isLocked())
          await bench.lock.unlock()
        }
        await Promise.all([byScope, byStep()])
      })
      expect(resource.entries).toBe(2)
    })

    it.each(['together', 'one after the other'])(
      'exclude each other where each is a runAsThread() of its own that uses lock(), coming %s',
      async (how) => {
        const resource = new LimitedResource()
        const roundTrips = async (count: number) => {
          for (let trip = 0; trip < count; trip += 1) await bench.lock.isLocked()
        }
        const branch = (delay: number) =>
          bench.mine.runAsThread(async () => {
            await roundTrips(delay)
            await bench.lock.lock()
            await resource.use(() => roundTrips(5))
            await bench.lock.unlock()
          })
        await bench.lock.withLock(() => Promise.all([branch(0), branch(how === 'together' ? 0 : 2)]))
        expect(resource.entries).toBe(2)
      },
    )
  })

  describe('what a scope has left behind', () => {
    noLeaks(bench.topology)

    it.each<[string, (fn: () => () => Promise<unknown>) => Promise<() => Promise<unknown>>]>([
      ['withLock()', (fn) => bench.lock.withLock(fn)],
      ['runAsThread()', (fn) => bench.mine.runAsThread(fn)],
      [
        'withLock() inside another that goes on',
        async (fn) => bench.spot().lock.withLock(() => bench.lock.withLock(fn)),
      ],
    ])('by %s waits like any other when it asks while another holds the lock', async (_, scope) => {
      const resource = new LimitedResource()
      const late = await scope(() =>
        detached(async () => {
          await bench.lock.lock()
          await resource.use(() => undefined)
          await bench.lock.unlock()
        }),
      )
      const hold = await bench.lock.acquire()
      const visit = resource.enter()
      const waiter = late()
      await bench.untilWaiting()
      visit[Symbol.dispose]()
      await hold.unlock()
      await waiter
      expect(resource.entries).toBe(2)
    })

    it('is an owner of its own, never the old one', async () => {
      const owners: string[] = []
      const late = await bench.lock.withLock((hold) => {
        owners.push(hold.owner)
        return detached(async () => {
          await bench.lock.withLock((own) => owners.push(own.owner))
          await using own = await bench.lock.acquire()
          owners.push(own.owner)
        })
      })
      await late()
      expect(new Set(owners).size).toBe(3)
    })

    it('is another owner also where an outer scope of the same lock goes on', async () => {
      await bench.lock.withLock(async () => {
        const late = await bench.lock.withLock(() => detached(() => bench.lock.tryLock()))
        expect(await late()).toBe(false)
      })
    })
  })

  describe('inside a scope of a certain thread', () => {
    noLeaks(bench.topology)

    it('lock() belongs to the nearest thread', async () => {
      await bench.mine.runAsThread(
        async () => {
          await bench.mine.runAsThread(() => bench.lock.lock(), { threadId: 2 })
          expect(await bench.lock.isHeldByThread(2)).toBe(true)
          expect(await bench.lock.isHeldByCurrentThread()).toBe(false)
        },
        { threadId: 1 },
      )
      await bench.lock.unlock({ threadId: 2 })
    })
  })

  describe('what a scope of a certain thread has left behind', () => {
    noLeaks(bench.topology)

    it('is another owner even where its thread still holds the lock', async () => {
      const late = await bench.mine.runAsThread(
        async () => {
          await bench.lock.lock()
          return detached(async () => {
            expect(await bench.lock.getHoldCount()).toBe(0)
            expect(await bench.lock.tryLock()).toBe(false)
          })
        },
        { threadId: 7 },
      )
      await late()
      expect(await bench.lock.isHeldByThread(7)).toBe(true)
      await bench.lock.unlock({ threadId: 7 })
    })

    it('gives back nothing that a later scope of the same id has taken', async () => {
      const late = await bench.mine.runAsThread(() => detached(() => bench.lock.unlock()), { threadId: 7 })
      await bench.mine.runAsThread(
        async () => {
          await bench.lock.lock()
          await expect(late()).rejects.toMatchObject({ code: 'NOT_HELD' })
          expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
          await bench.lock.unlock()
        },
        { threadId: 7 },
      )
    })
  })

  describe('a thread that asks twice at the same time', () => {
    noLeaks(bench.topology)

    it.each<[string, (lock: RLock) => Promise<unknown>]>([
      ['lock()', (lock) => lock.lock()],
      ['tryLock()', (lock) => lock.tryLock()],
      ['tryLock(waitMs)', (lock) => lock.tryLock(15_000)],
    ])('has forked, which %s refuses and says what to do instead', async (_, ask) => {
      await bench.mine.runAsThread(async () => {
        const [first, second] = await Promise.allSettled([ask(bench.lock), ask(bench.lock)])
        expect(first.status).toBe('fulfilled')
        const error: unknown = second.status === 'rejected' && second.reason
        expect(error).toBeInstanceOf(ForkedThreadError)
        expect(error).toMatchObject({ code: 'FORKED_THREAD', lock: bench.lock.name })
        expect((error as ForkedThreadError).message).toContain('runAsThread()')
        expect((error as ForkedThreadError).owner).toMatch(new RegExp(`^${bench.mine.id}:\\d+$`))
        expect(await bench.lock.getHoldCount()).toBe(1)
        await bench.lock.unlock()
      })
    })

    it('has forked also while the first of its requests waits', async () => {
      const hold = await bench.theirs.acquire()
      await bench.mine.runAsThread(async () => {
        const first = bench.lock.lock()
        await bench.untilWaiting()
        await expect(bench.lock.lock()).rejects.toBeInstanceOf(ForkedThreadError)
        await hold.unlock()
        await first
        await bench.lock.unlock()
      })
    })

    it('may ask again when its request has been refused or is over', async () => {
      await bench.mine.runAsThread(async () => {
        await Promise.allSettled([bench.lock.lock(), bench.lock.lock()])
        await bench.lock.lock()
        expect(await bench.lock.getHoldCount()).toBe(2)
        await bench.lock.unlock()
        await bench.lock.unlock()
      })
    })

    it('has not forked if it asks for different locks, or another thread does', async () => {
      const [a, b] = [bench.spot(), bench.spot()]
      await bench.mine.runAsThread(async () => {
        await Promise.all([a.lock.lock(), b.lock.lock()])
        const other = elsewhere(() => bench.mine.runAsThread(() => a.lock.tryLock()))
        expect(await Promise.all([other, a.lock.tryLock()])).toEqual([false, true])
        for (const lock of [a.lock, a.lock, b.lock]) await lock.unlock()
      })
    })
  })

  describe('what the library calls by itself', () => {
    noLeaks(bench.topology)

    it('is outside every scope: a listener of the client', async () => {
      const mine = bench.spot()
      const heard = Promise.withResolvers<boolean>()
      const listen = () => heard.resolve(mine.lock.isHeldByCurrentThread())
      await bench.lock.acquire()
      await bench.mine.runAsThread(async () => {
        await mine.lock.lock()
        bench.mine.on('lockLost', listen)
        await bench.lock.forceUnlock()
        bench.mine.off('lockLost', listen)
        expect(await heard.promise).toBe(false)
        await mine.lock.unlock()
      })
    })

    it('is a flow of its own: what one listener takes, another does not hold', async () => {
      const [a, b] = [bench.spot(), bench.spot()]
      const taken: Promise<void>[] = []
      const heard: Promise<boolean>[] = []
      const take = () => void taken.push(a.lock.lock())
      const look = () => void heard.push(a.lock.isHeldByCurrentThread())
      bench.mine.on('lockLost', take)
      await bench.lock.acquire()
      await bench.lock.forceUnlock()
      bench.mine.off('lockLost', take)
      await Promise.all(taken)

      bench.mine.on('lockLost', look)
      await b.lock.acquire()
      await b.lock.forceUnlock()
      bench.mine.off('lockLost', look)
      expect(await Promise.all(heard)).toEqual([false])
      await a.lock.forceUnlock()
    })

    it.each<[string, number, (hold: LockHold) => unknown]>([
      ['another caller forces the lock open', 60_000, () => bench.lock.forceUnlock()],
      [
        'it turns out to be gone',
        60_000,
        async (hold) => {
          await bench.ask('DEL')
          await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
        },
      ],
      [
        'its lease is seen to have ended',
        BRIEFLY_MS,
        (hold) => {
          standStill(BRIEFLY_MS) // so that no timer sees it sooner
          expect(hold.isHeld).toBe(false)
        },
      ],
    ])('is outside every scope: a listener of a hold’s signal, when %s', async (_, leaseMs, lose) => {
      const mine = bench.spot()
      const heard = Promise.withResolvers<boolean>()
      const hold = await takeBriefly(() => bench.lock.acquire({ leaseMs }))
      hold.signal.addEventListener('abort', () => heard.resolve(mine.lock.isHeldByCurrentThread()))
      await bench.mine.runAsThread(async () => {
        await mine.lock.lock()
        await lose(hold)
        expect(await heard.promise).toBe(false)
        await mine.lock.unlock()
      })
      await untilFree(bench.theirs)
    })
  })
}

/** Something that was begun here, and goes on only when it is called. */
function detached<T>(fn: () => Promise<T>): () => Promise<T> {
  const { promise: called, resolve: call } = Promise.withResolvers<void>()
  const outcome = called.then(fn)
  return () => {
    call()
    return outcome
  }
}

/** Whether a script was run that may take a lock: renewals have no request of their own. */
function isAcquisition({ words }: { readonly words: readonly string[] }): boolean {
  return (
    words[0]?.startsWith('eval') === true && words.some((word) => word.startsWith('redisson_unlock_latch:'))
  )
}
