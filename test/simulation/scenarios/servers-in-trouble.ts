import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import type { Trouble } from '../server/trouble.js'
import { forKinds } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const A_MINUTE_MS = 60_000
const TEN_MINUTES_MS = 600_000
const AN_HOUR_MS = 3_600_000

export const serversInTrouble: readonly Scenario[] = [
  ...forKinds(['lock', 'fenced lock', 'fair lock'], (kind, lockOf) => ({
    name: 'no-memory-with-waiter',
    promise: `A ${kind} with a waiter in the process becomes free, although Redis had no memory for a moment`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      const hold = await mine.run((client) => lockOf(client).acquire({ leaseMs: TEN_MINUTES_MS }))
      const waiter = outcomeName(
        mine.run((client) => lockOf(client).tryAcquire({ waitMs: 900, leaseMs: 500 })),
      )
      await stage.sleep(30)
      await troubled(stage, 'oom', () => mine.run(() => hold.unlock()))
      await waiter
      await stage.gone('lock')
    },
  })),
  ...forKinds(['lock', 'fenced lock', 'fair lock'], (kind, lockOf) => ({
    name: 'no-memory-to-pass-on',
    promise: `A ${kind} is passed on to a waiter of the process, although Redis has no memory at the moment`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      const lease = { leaseMs: TEN_MINUTES_MS } // not shorter than what is left of the hold: only then is it passed on
      const hold = await mine.run((client) => lockOf(client).acquire(lease))
      const waiter = outcomeName(
        mine.run((client) => lockOf(client).withLock(() => undefined, { ...lease, waitMs: 900 })),
      )
      await stage.sleep(30)
      await troubled(stage, 'oom', () => mine.run(() => hold.unlock()))
      assert.equal(await waiter, 'ok')
      await stage.gone('lock')
    },
  })),
  ...forKinds(
    [
      'lock',
      'fair lock',
      'fenced lock',
      'read lock',
      'write lock',
      'preferred write lock',
      'spin lock',
      'multi-lock',
      'lock on values',
    ],
    (kind, lockOf) => ({
      name: 'no-memory-within',
      promise: `An inner hold of a ${kind} ends, and then the outer one, although Redis has no memory`,
      run: async (stage) => {
        const mine = await stage.process('mine')
        await mine.run((client) =>
          client.runAsThread(async () => {
            const lock = lockOf(client)
            await lock.lock()
            await lock.lock()
            stage.redis.server.trouble = 'oom'
            await lock.unlock()
            assert.equal(await lock.isHeldByCurrentThread(), true)
            await lock.unlock()
          }),
        )
        assert.equal(stage.has('lock'), false)
      },
    }),
  ),
  ...forKinds(
    ['lock', 'fair lock', 'fenced lock', 'read lock', 'write lock', 'multi-lock', 'lock on values'],
    (kind, lockOf) => ({
      name: 'no-memory-to-renew',
      promise: `A ${kind} is renewed for as long as it is held, although Redis has no memory`,
      run: async (stage) => {
        const mine = await stage.process('mine')
        const hold = await mine.run((client) => lockOf(client).acquire())
        stage.redis.server.trouble = 'oom'
        await stage.sleep(A_MINUTE_MS)
        assert.equal(await mine.run(() => hold.isHeld), true)
      },
    }),
  ),
  ...forKinds(
    [
      'lock',
      'fair lock',
      'fenced lock',
      'read lock',
      'write lock',
      'preferred write lock',
      'spin lock',
      'lock on values',
    ],
    (kind, lockOf) => ({
      name: 'busy-before-lease',
      promise: `A ${kind} that Redis grants after it was busy is held for the whole of its lease`,
      run: async (stage) => {
        const mine = await stage.process('mine')
        const outcome = await troubled(stage, 'busy', () =>
          mine.run((client) => heldFor(stage, lockOf(client).acquire({ leaseMs: 1_000 }), 900)),
        )
        assert.equal(outcome, 'ok')
      },
    }),
  ),
  {
    name: 'busy-before-permit',
    promise: 'A permit that Redis grants after it was busy is held for the whole of its lease',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const permits = { permits: 1 }
      const outcome = await troubled(stage, 'busy', () =>
        mine.run((client) => {
          const semaphore = client.getPermitExpirableSemaphore('permits', permits)
          return heldFor(stage, semaphore.acquirePermit({ leaseMs: 1_000 }), 900)
        }),
      )
      assert.equal(outcome, 'ok')
    },
  },
  {
    name: 'no-memory-to-renew-permit',
    promise: 'A permit is renewed for as long as it is held, although Redis has no memory',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const hold = await mine.run((client) =>
        client.getPermitExpirableSemaphore('permits', { permits: 1 }).acquirePermit(),
      )
      stage.redis.server.trouble = 'oom'
      await stage.sleep(A_MINUTE_MS)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
  {
    name: 'no-memory-to-keep-waiting',
    promise: 'Waiters of a fair lock keep their places, although Redis has no memory for a while',
    run: async (stage) => {
      const holder = await stage.process('holder')
      await holder.run((client) => client.getFairLock('lock').acquire({ leaseMs: TEN_MINUTES_MS }))
      for (const name of ['first', 'second', 'third']) {
        const waiter = await stage.process(name)
        void outcomeName(waiter.run((client) => client.getFairLock('lock').acquire()))
        await stage.sleep(400)
      }
      const places = () => stage.redis.command('LRANGE', 'redisson_lock_queue:{lock}', '0', '-1')
      const before = places()
      stage.redis.server.trouble = 'oom'
      await stage.sleep(5_000)
      stage.redis.server.trouble = undefined
      await stage.sleep(5_000)
      assert.deepEqual(places(), before)
    },
  },
  {
    name: 'no-memory-to-settle',
    promise: 'A run whose mark is renewed comes to its end, although Redis has no memory by then',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const once = (client: RedissonClient) => client.getOnce('once', { ttlMs: AN_HOUR_MS })
      const noMemory = () => {
        stage.redis.server.trouble = 'oom'
      }
      assert.equal((await mine.run((client) => once(client).run(noMemory, { retry: 'both' }))).ran, true)
      stage.redis.server.trouble = undefined
      assert.equal((await mine.run((client) => once(client).run(noMemory))).ran, false)
    },
  },
  {
    name: 'no-memory-to-release-permits',
    promise: 'Permits of a semaphore are released, although Redis has no memory',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run(async (client) => {
        const semaphore = client.getSemaphore('permits')
        await semaphore.trySetPermits(2)
        await semaphore.acquire()
        stage.redis.server.trouble = 'oom'
        await semaphore.release()
        assert.equal(await semaphore.availablePermits(), 2)
      })
    },
  },
  {
    name: 'no-memory-for-named-thread',
    promise: 'A lock of a named thread becomes free, although Redis had no memory for a moment',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => client.getLock('lock').lock({ threadId: 7, leaseMs: TEN_MINUTES_MS }))
      await troubled(stage, 'oom', () => mine.run((client) => client.getLock('lock').unlock({ threadId: 7 })))
      await stage.gone('lock')
    },
  },
  {
    name: 'no-memory-for-permit',
    promise: 'The permit of a withPermit() comes back, although Redis had no memory for a moment',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => client.getSemaphore('permits').trySetPermits(1))
      const { promise: work, resolve: endWork } = Promise.withResolvers<undefined>()
      const worked = mine.run((client) => client.getSemaphore('permits').withPermit(() => work))
      await stage.until(() => stage.redis.command('GET', 'permits') === '0', 'the permit is taken')
      await troubled(stage, 'oom', () => {
        endWork(undefined)
        return worked
      })
      await stage.until(() => stage.redis.command('GET', 'permits') === '1', 'the permit is back')
    },
  },
  {
    name: 'disk-full',
    promise: 'A lock becomes free, although Redis could not write to its disk for a moment',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const hold = await mine.run((client) => client.getLock('lock').acquire({ leaseMs: TEN_MINUTES_MS }))
      await troubled(stage, 'misconf', () => mine.run(() => hold.unlock()))
      await stage.gone('lock')
    },
  },
  {
    name: 'busy-at-subscribe',
    promise: 'A caller that begins to wait while Redis runs a long script gets the lock',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await other.run((client) => client.getLock('lock').acquire())
      await listen(stage, mine)
      const refused = mine.delayReply({ with: 'lock' }, 5)
      const waiter = outcomeName(mine.run((client) => client.getLock('lock').acquire()))
      await refused
      stage.redis.server.trouble = 'busy'
      await stage.sleep(1_500)
      stage.redis.server.trouble = undefined
      await other.run(() => hold.unlock())
      assert.equal(await waiter, 'ok')
    },
  },
  {
    name: 'empty-server',
    promise: 'A waiter gets the lock as soon as it is connected to a server that has forgotten all',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await other.run((client) => client.getLock('lock').acquire({ leaseMs: AN_HOUR_MS }))
      const waiter = mine.run((client) => client.getLock('lock').tryAcquire({ waitMs: 10_000 }))
      await stage.sleep(100)
      stage.network.away(stage.redis.address, 1_000)
      stage.redis.command('FLUSHALL')
      assert.ok(await waiter, 'the waiter has got nothing')
      assert.ok(stage.now < 4_000, 'the waiter has not looked at once')
    },
  },
]

/** Has a process open its connection for messages, and keep it open. */
async function listen(stage: Stage, process: Process): Promise<void> {
  await process.run((client) => client.getLock('another').acquire())
  void outcomeName(process.run((client) => client.getLock('another').acquire()))
  await stage.sleep(100)
}

/** Makes a call while a server is in trouble for a second and a half, and lets the call end. Returns how that was. */
async function troubled(stage: Stage, trouble: Trouble, call: () => Promise<unknown>): Promise<string> {
  const { server } = stage.redis
  server.trouble = trouble
  const outcome = outcomeName(call())
  await stage.sleep(1_500)
  server.trouble = undefined
  return await outcome
}

/** Acquires something, and demands that it is still held after a time. */
async function heldFor(
  stage: Stage,
  acquired: Promise<{ readonly isHeld: boolean }>,
  ms: number,
): Promise<void> {
  const hold = await acquired
  await stage.sleep(ms)
  assert.ok(hold.isHeld, `it is not held any more after ${String(ms)} ms`)
}
