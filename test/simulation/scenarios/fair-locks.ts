import assert from 'node:assert/strict'
import { forKinds, type LockOf } from './kinds.js'
import { runsScript } from './messages.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'

/** Longer than a waiter counts as alive that says nothing. */
const STANDSTILL_MS = 4_500

export const fairLocks: readonly Scenario[] = [
  {
    name: 'queue-after-standstill',
    promise:
      'A fair lock is passed on with a few requests for each waiter, although Redis has discarded all waiters of a process',
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogBatchSize: 10 })
      const count = 200
      let served = 0
      const visits = Array.from({ length: count }, () =>
        mine.run((client) => client.getFairLock('lock').withLock(() => (served += 1))),
      )
      await stage.until(() => served > 10, 'the first are served')
      mine.freeze(STANDSTILL_MS)
      let requests = 0
      stage.network.intercept({
        request: (message) =>
          void (requests += Number(runsScript(stage.redis, message) || message.name.endsWith('SUBSCRIBE'))),
      })
      await Promise.all(visits)
      // A tenth of a heartbeat, a new place, and taking the lock over.
      assert.ok(requests <= 3 * count, `${String(requests)} requests for ${String(count)} waiters`)
    },
  },
  {
    name: 'place-taken-again-at-once',
    promise:
      'A named thread keeps the place in the queue of a fair lock that it takes as soon as it has left it',
    run: async (stage) => {
      const [holder, mine, other] = await Promise.all(
        ['holder', 'mine', 'other'].map((name) => stage.process(name)),
      )
      assert.ok(holder && mine && other)
      const hold = await holder.run((client) => client.getFairLock('lock').acquire())
      const served: string[] = []
      const visit = (process: Process, name: string) =>
        visits.push(process.run((client) => client.getFairLock('lock').withLock(() => served.push(name))))
      const visits: Promise<unknown>[] = []
      visit(mine, 'first')
      await stage.sleep(100)
      visits.push(
        mine.run(async (client) => {
          const lock = client.getFairLock('lock')
          assert.equal(await lock.tryLock({ threadId: 5, waitMs: 100 }), false) // the server does not know yet how it leaves
          await lock.lock({ threadId: 5 })
          served.push('named')
          await lock.unlock({ threadId: 5 })
        }),
      )
      await stage.sleep(200)
      visit(other, 'last')
      await stage.sleep(100)
      await holder.run(() => hold.unlock())
      await Promise.all(visits)
      assert.deepEqual(served, ['first', 'named', 'last'])
    },
  },
  {
    name: 'queue-evicted',
    promise: 'A waiter of a fair lock gets its turn, although Redis has evicted the queue',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await other.run((client) => client.getFairLock('lock').acquire())
      const waiter = mine.run((client) => client.getFairLock('lock').tryAcquire({ waitMs: 10_000 }))
      await stage.sleep(100)
      assert.equal(stage.redis.command('UNLINK', 'redisson_lock_queue:{lock}'), 1)
      let isOver = false
      const flow = async (): Promise<void> => {
        while (!isOver) await other.run((client) => client.getFairLock('lock').withLock(() => stage.sleep(5)))
      }
      const flows = [flow(), flow()]
      await other.run(() => hold.unlock())
      const turn = await waiter
      isOver = true
      await mine.run(() => turn?.unlock())
      await Promise.all(flows)
      assert.ok(turn, 'the waiter was overtaken for ten seconds')
    },
  },
  ...forKinds(['fair lock', 'non-reentrant fair lock'], (kind, lockOf) => ({
    name: 'order-of-arrival',
    promise: `A ${kind} serves processes in the order in which they came, without those that gave up`,
    run: async (stage) => {
      const holder = await stage.process('holder')
      const hold = await holder.run((client) => lockOf(client).acquire())
      const served: string[] = []
      const enough = new AbortController()
      const calls: Promise<unknown>[] = []
      const come = async (name: string, signal?: AbortSignal) => {
        const process = await stage.process(name)
        const onInside = async () => {
          served.push(name)
          await stage.sleep(50)
        }
        calls.push(outcomeName(visit(process, lockOf, { signal, onInside })))
        await stage.sleep(20)
      }
      await come('first')
      await come('second', enough.signal)
      await come('third')
      await come('fourth')
      enough.abort()
      await holder.run(() => hold.unlock())
      await come('fifth')
      await Promise.all(calls)
      assert.deepEqual(served, ['first', 'third', 'fourth', 'fifth'])
    },
  })),
  ...forKinds(['fair lock', 'non-reentrant fair lock'], (kind, lockOf) => ({
    name: 'first-gives-up-at-its-turn',
    promise: `The next waiter of a ${kind} gets it at once if the first gives up when it is its turn`,
    run: async (stage) => {
      const [holder, first, next] = await Promise.all([
        stage.process('holder'),
        stage.process('first'),
        stage.process('next'),
      ])
      const hold = await holder.run((client) => lockOf(client).acquire())
      const enough = new AbortController()
      const gaveUp = outcomeName(visit(first, lockOf, { signal: enough.signal }))
      await stage.sleep(20)
      const turn = next.run((client) => lockOf(client).acquire())
      await stage.sleep(20)
      first.delayMessages(100)
      await holder.run(() => hold.unlock())
      const freeAt = stage.now
      enough.abort()
      assert.equal(await gaveUp, 'AbortError')
      await turn
      assert.ok(stage.now - freeAt < SOON_MS, `it has waited for ${(stage.now - freeAt).toFixed(0)} ms`)
    },
  })),
]

/** Within this time a message wakes who it is for. Without one a waiter looks again after more than a second. */
const SOON_MS = 100

/** Takes a lock and gives it back. */
function visit(
  process: Process,
  lockOf: LockOf,
  { signal, onInside }: { readonly signal?: AbortSignal | undefined; readonly onInside?: () => unknown },
): Promise<unknown> {
  return process.run((client) => lockOf(client).withLock(() => onInside?.(), { ...(signal && { signal }) }))
}
