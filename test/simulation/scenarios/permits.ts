import assert from 'node:assert/strict'
import type { RSemaphore } from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** Far more than flows of one process may keep to themselves. */
const PATIENCE_MS = 2_000

/** Enough to begin to wait, and less than flows of one process keep permits to themselves. */
const SOON_MS = 20

export const permits: readonly Scenario[] = [
  {
    name: 'permit-passed-on',
    promise: 'A permit passes to a waiter of the same process without a request',
    run: async (stage) => {
      const [mine, waiter] = await holderOf(stage, { permits: 1 }, (semaphore) => semaphore.acquire())
      const heal = mine.loseReplies()
      await use(mine, (semaphore) => semaphore.release())
      assert.equal(await outcomeName(waiter), 'ok')
      heal()
      await use(mine, (semaphore) => semaphore.release())
      await free(stage, 1)
    },
  },
  {
    name: 'permits-passed-on-in-order',
    promise: 'Permits pass to the first waiters that want all of them, and to no later one',
    run: async (stage) => {
      const served: number[] = []
      const [mine, waiters] = await holderOf(stage, { permits: 3 }, (semaphore) =>
        [2, 1, 1].map(async (count, index) => {
          await semaphore.acquire(count)
          served.push(index)
        }),
      )
      await use(mine, (semaphore) => semaphore.release())
      await stage.sleep(SOON_MS)
      assert.deepEqual(served, [])
      await use(mine, (semaphore) => semaphore.release(2))
      await stage.sleep(SOON_MS)
      assert.deepEqual(served, [0, 1])
      await use(mine, (semaphore) => semaphore.release(3))
      await Promise.all(waiters)
      await use(mine, (semaphore) => semaphore.release())
      await free(stage, 3)
    },
  },
  {
    name: 'permits-not-passed-on-in-part',
    promise: 'A release of several permits that is rejected has put back none of them',
    run: async (stage) => {
      const [mine, waiter] = await holderOf(stage, { permits: 2, retryAttempts: 0 }, (semaphore) =>
        semaphore.tryAcquire({ waitMs: PATIENCE_MS }),
      )
      const lost = mine.loseRequest({ with: 'permits' }, 20)
      const released = outcomeName(use(mine, (semaphore) => semaphore.release(2)))
      await lost
      assert.equal(await released, 'ConnectionLostError')
      await use(mine, (semaphore) => semaphore.release(2))
      assert.equal(await waiter, true)
      await use(mine, (semaphore) => semaphore.release())
      await free(stage, 2)
    },
  },
  {
    name: 'permit-passed-on-and-granted',
    promise: 'A permit that Redis grants to a waiter that has been passed another one is free again',
    run: async (stage) => {
      const other = await stage.process('other')
      await use(other, (semaphore) => semaphore.trySetPermits(2))
      await use(other, (semaphore) => semaphore.acquire())
      const [mine, waiter] = await holderOf(stage, { permits: 1 }, (semaphore) => semaphore.acquire())
      const asked = mine.delayReply({ with: 'permits' }, 100)
      await use(other, (semaphore) => semaphore.release())
      await asked
      await use(mine, (semaphore) => semaphore.release())
      await waiter
      await free(stage, 1)
      await use(mine, (semaphore) => semaphore.release())
      await free(stage, 2)
    },
  },
  {
    name: 'permits-reach-other-processes',
    promise: 'Flows of one process that pass a permit on leave it to another process, too',
    run: async (stage) => {
      const over = new AbortController()
      const flow = async (semaphore: RSemaphore) => {
        while (!over.signal.aborted) await semaphore.withPermit(() => stage.sleep(5))
      }
      const [mine, flows] = await holderOf(stage, { permits: 1 }, (semaphore) =>
        [1, 2, 3].map(() => flow(semaphore)),
      )
      const other = await stage.process('other')
      await use(mine, (semaphore) => semaphore.release())
      await stage.sleep(200)
      const served = await use(other, (semaphore) => semaphore.tryAcquire({ waitMs: PATIENCE_MS }))
      over.abort()
      if (served) await use(other, (semaphore) => semaphore.release())
      await Promise.all(flows)
      assert.ok(served, `the other process got nothing in ${String(PATIENCE_MS)} ms`)
    },
  },
  {
    name: 'permits-set-anew',
    promise:
      'A semaphore that Redis has lost has all permits again that the program brings, although one is released first',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const semaphore = () => mine.client.getSemaphore('permits', { permits: 10 })
      const over = Promise.withResolvers<undefined>()
      const section = mine.run(() => semaphore().withPermit(() => over.promise))
      await mine.run(() => semaphore().acquire())
      stage.redis.command('FLUSHALL')
      await mine.run(() => semaphore().release())
      over.resolve(undefined)
      await section
      assert.equal(await mine.run(() => semaphore().tryAcquire(10)), true)
      await mine.run(() => semaphore().release(10))
      await free(stage, 10)
    },
  },
  {
    name: 'permits-released-to-no-semaphore',
    promise:
      'A release counts where its semaphore is not there, although another that brings permits leaves with it',
    run: async (stage) => {
      const [mine, waiter] = await holderOf(stage, { permits: 2 }, (semaphore) =>
        semaphore.tryAcquire({ permits: 9, waitMs: 500 }),
      )
      stage.redis.command('DEL', 'permits')
      await mine.run((client) =>
        Promise.all([
          client.getSemaphore('permits', { permits: 2 }).release(),
          client.getSemaphore('permits').release(),
        ]),
      )
      await waiter
      await free(stage, 1)
    },
  },
]

/**
 * Starts a process that has that many permits of a semaphore and no other is free, with callers that wait for them, and that knows from a
 * release that no other process waits.
 */
async function holderOf<T>(
  stage: Stage,
  { permits: count, ...server }: { readonly permits: number; readonly retryAttempts?: number },
  wait: (semaphore: RSemaphore) => T,
): Promise<[Process, T]> {
  const mine = await stage.process('mine', { server })
  await use(mine, (semaphore) => semaphore.trySetPermits(count))
  await use(mine, (semaphore) => semaphore.acquire(count))
  const next = use(mine, (semaphore) => semaphore.acquire(count))
  await stage.sleep(SOON_MS)
  const waiting = await mine.run((client) => ({ calls: wait(client.getSemaphore('permits')) }))
  await stage.sleep(SOON_MS)
  await use(mine, (semaphore) => semaphore.release(count))
  await next
  return [mine, waiting.calls]
}

function use<T>(process: Process, call: (semaphore: RSemaphore) => Promise<T>): Promise<T> {
  return process.run((client) => call(client.getSemaphore('permits')))
}

/** Waits until that many permits are free, and demands that it stays so. */
async function free(stage: Stage, count: number): Promise<void> {
  const isFree = () => freePermits(stage) === String(count)
  await stage.until(isFree, `${String(count)} permits are free`)
  await stage.sleep(PATIENCE_MS)
  assert.ok(isFree(), `there are ${freePermits(stage)} free permits`)
}

function freePermits(stage: Stage): string {
  return stage.redis.command('GET', 'permits') as string
}
