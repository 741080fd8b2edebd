import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/index.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { LockFixture } from '../lock-fixture.js'
import { counterBeside } from '../lock/counting.js'

const BRANCHES = 10
const TASKS = 1_000

type Work = () => Promise<unknown>

/** Every way to run work under the lock, for the task of a certain number. */
const forms: readonly (readonly [
  string,
  (bench: LockFixture, task: number, work: Work) => Promise<unknown>,
])[] = [
  ['lock()', ({ lock }, _, work) => stepByStep(lock, work)],
  ['withLock()', ({ lock }, _, work) => lock.withLock(work)],
  [
    'acquire()',
    async ({ lock }, _, work) => {
      await using _hold = await lock.acquire()
      return await work()
    },
  ],
  ['runAsThread()', ({ mine, lock }, _, work) => mine.runAsThread(() => stepByStep(lock, work))],
  [
    'lock({ threadId })',
    async ({ lock }, task, work) => {
      const threadId = task + 1
      await lock.lock({ threadId })
      try {
        return await work()
      } finally {
        await lock.unlock({ threadId })
      }
    },
  ],
]

export function exclusion(bench: LockFixture): void {
  describe('branches of one Promise.all', () => {
    describe.each(forms)('by %s', (_, under) => {
      noLeaks(bench.topology)

      it.each([
        ['all at once', 0],
        ['after they have awaited something', 1],
        ['some at once and some later', 2],
        ['each at a time of its own', BRANCHES],
      ])('are never two inside, asking %s', async (__, spread) => {
        const resource = new LimitedResource()
        const branch = async (task: number) => {
          const turns = spread === 1 ? 1 : task % Math.max(spread, 1)
          for (let turn = 0; turn < turns; turn += 1) await nextTurn()
          await under(bench, task, () => resource.use(() => bench.lock.isLocked()))
        }
        await Promise.all(Array.from({ length: BRANCHES }, (___, task) => branch(task)))
        expect(resource.entries).toBe(BRANCHES)
        expect(await bench.lock.isLocked()).toBe(false)
      })
    })
  })

  describe('branches of one Promise.all that share nothing but the name', () => {
    noLeaks(bench.topology)

    it('are never two inside with an object each for the same lock', async () => {
      const resource = new LimitedResource()
      const branch = () =>
        stepByStep(bench.lockOf(bench.mine, bench.name), () => resource.use(() => bench.lock.isLocked()))
      await Promise.all(Array.from({ length: BRANCHES }, branch))
      expect(resource.entries).toBe(BRANCHES)
    })
  })

  describe('branches of one Promise.all that ask in different forms', () => {
    noLeaks(bench.topology)

    it('are never two holders, in any forms', async () => {
      const resource = new LimitedResource()
      const branches = Array.from({ length: 3 * forms.length }, async (_, task) => {
        const form = forms[task % forms.length]?.[1]
        await form?.(bench, task, () => resource.use(() => bench.theirs.isLocked()))
      })
      await Promise.all(branches)
      expect(resource.entries).toBe(branches.length)
    })
  })

  describe('a holder that was started and not awaited', () => {
    noLeaks(bench.topology)

    /** Takes the lock in its synchronous part, whose trace reaches the caller. */
    const startHolder = (resource: LimitedResource, until: Promise<void>): Promise<void> =>
      stepByStep(bench.lock, () => resource.use(() => until))

    it('keeps its starter out that tries', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const resource = new LimitedResource()
      const holder = startHolder(resource, promise)
      await eventually(() => resource.inside === 1)
      expect(await bench.lock.tryLock()).toBe(false)
      expect(await bench.lock.tryAcquire()).toBeUndefined()
      await expect(bench.lock.withLock(() => undefined, { waitMs: 0 })).rejects.toMatchObject({
        code: 'LOCK_TIMEOUT',
      })
      resolve()
      await holder
    })

    it('keeps its starter out that waits, and lets it in after the release', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const resource = new LimitedResource()
      const holder = startHolder(resource, promise)
      await eventually(() => resource.inside === 1)
      const starter = stepByStep(bench.lock, () => resource.use(() => bench.lock.getHoldCount()))
      await bench.untilWaiting()
      resolve()
      await holder
      expect(await starter).toBe(1)
      expect(resource.entries).toBe(2)
    })

    it('keeps its starter out that asks before the holder has it', async () => {
      const resource = new LimitedResource()
      const holder = startHolder(resource, Promise.resolve())
      await stepByStep(bench.lock, () => resource.use(() => bench.lock.isLocked()))
      await holder
      expect(resource.entries).toBe(2)
    })

    it('loses nothing when its starter gives back a lock that it has taken before', async () => {
      const before = bench.spot()
      await before.lock.lock()
      const { promise, resolve } = Promise.withResolvers<void>()
      const resource = new LimitedResource()
      const holder = startHolder(resource, promise)
      await eventually(() => resource.inside === 1)
      await before.lock.unlock()
      expect(await bench.theirs.isLocked()).toBe(true)
      resolve()
      await holder
    })

    it('and its starter give back their own, one after the other', async () => {
      const resource = new LimitedResource()
      const holder = startHolder(resource, Promise.resolve())
      await bench.lock.lock()
      await resource.use(() => holder) // the holder has given back its own while the starter is inside
      expect(await bench.lock.isHeldByCurrentThread()).toBe(true)
      await bench.lock.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })
  })

  describe.each(forms)(
    `a counter that ${String(TASKS)} tasks of one process read and write by %s`,
    (_, under) => {
      noLeaks(bench.topology)

      it('is exact', async () => {
        const counter = await counterBeside(bench)
        const resource = new LimitedResource()
        const tasks = Array.from({ length: TASKS }, (_, task) =>
          under(bench, task, () => resource.use(counter.increment)),
        )
        await Promise.all(tasks)
        expect(await counter.read()).toBe(TASKS)
        await counter.remove()
      })
    },
  )

  describe(`a counter that ${String(TASKS)} flows of one process read and write, which know nothing of each other,`, () => {
    noLeaks(bench.topology)

    it('is exact by lock()', async () => {
      const counter = await counterBeside(bench)
      const task = () => elsewhere(() => stepByStep(bench.lock, counter.increment))
      await Promise.all(Array.from({ length: TASKS }, task))
      expect(await counter.read()).toBe(TASKS)
      await counter.remove()
    })
  })
}

async function stepByStep<T>(lock: RLock, work: () => Promise<T>): Promise<T> {
  await lock.lock()
  try {
    return await work()
  } finally {
    await lock.unlock()
  }
}
