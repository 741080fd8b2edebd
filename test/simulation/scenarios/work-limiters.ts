import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedissonClient, RWorkLimiter } from '../../../src/index.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const WATCHDOG_MS = 3_000

/** A queue whose process died holds up others for no longer. */
const DEAD_QUEUE_MS = 6_000

/** As many scripts as a process runs for its functions at least. */
const SCRIPTS = 4

/** When a process is killed: before Redis has run a script of it, or before it has the reply. */
const MOMENTS = { before: 'lose', after: 'deliver' } as const

/** The scripts of one function. */
const OF_A_FUNCTION = { begins: 1, ends: 2 } as const

export const workLimiters: readonly Scenario[] = [
  ...Object.entries(MOMENTS).flatMap(([moment, fate]) =>
    Array.from({ length: SCRIPTS }, (_, script): Scenario => ({
      name: `work-killed-${moment}-${String(script + 1)}`,
      promise: `The places of a process that is killed ${moment} its script ${String(script + 1)} for a work limiter are free soon`,
      run: async (stage) => {
        const [dying, other] = await workersOf(stage)
        void dying.atScript({ nth: script + 1 }, () => {
          dying.kill()
          return fate
        })
        for (let n = 0; n < 5; n += 1) void runFor(dying, 100).catch(() => undefined)
        await stage.sleep(500)
        const begunAt = stage.now
        await Promise.all([runFor(other, 10), runFor(other, 10), runFor(other, 10)])
        assert.ok(stage.now - begunAt <= WATCHDOG_MS + DEAD_QUEUE_MS, 'others waited for too long')
        await emptied(stage)
      },
    })),
  ),
  ...Object.entries(OF_A_FUNCTION).map(([what, nth]): Scenario => ({
    name: `work-lost-reply-${what}`,
    promise: `A function of a work limiter runs once, and leaves no place taken, although the reply is lost by which it ${what}`,
    run: async (stage) => {
      const [mine] = await workersOf(stage)
      let runs = 0
      void mine.loseReply({ nth }, 500)
      const count = () => {
        runs += 1
      }
      await mine.run((client) => limiterOf(client).run(count))
      assert.equal(runs, 1)
      assert.equal((await mine.run((client) => limiterOf(client).counts())).running, 0)
      await emptied(stage)
    },
  })),
  {
    name: 'work-frozen',
    promise:
      'A process that stands still knows that the place of its function was lost before it does anything else',
    run: async (stage) => {
      const [frozen, other] = await workersOf(stage)
      const seen: unknown[] = []
      const running = [1, 2].map(() =>
        frozen.run((client) =>
          limiterOf(client).run(async ({ signal }) => {
            await sleep(100)
            seen.push(signal.reason)
          }),
        ),
      )
      await stage.sleep(50)
      frozen.freeze(2 * WATCHDOG_MS)
      await runFor(other, 10)
      await Promise.all(running)
      assert.equal(seen.length, 2)
      for (const reason of seen) assert.equal((reason as { code?: unknown } | undefined)?.code, 'WORK_LOST')
      await emptied(stage)
    },
  },
  {
    name: 'work-late-requests',
    promise:
      'Functions begin as soon as Redis goes on, although requests of calls that have given up arrive then',
    run: async (stage) => {
      const settings = { lockWatchdogTimeout: WATCHDOG_MS, server: { timeout: 300, retryAttempts: 1 } }
      const [mine, other] = await Promise.all([
        stage.process('mine', settings),
        stage.process('other', settings),
      ])
      const running = [runFor(mine, 3_000), runFor(other, 3_000)]
      await stage.sleep(100)
      stage.network.freeze(stage.redis.address, 2_500)
      const given = [mine, other].flatMap((process) =>
        [1, 2].map(() =>
          process
            .run((client) => limiterOf(client).run(() => undefined, { waitMs: 1_000 }))
            .catch(() => undefined),
        ),
      )
      await Promise.all([...given, stage.sleep(2_500)])
      await Promise.allSettled(running)
      await stage.sleep(WATCHDOG_MS)
      const begunAt = stage.now
      await runFor(mine, 10)
      await runFor(other, 10)
      assert.ok(stage.now - begunAt <= 500, 'a request that came late holds up others')
      await emptied(stage)
    },
  },
  {
    name: 'work-messages-lost',
    promise: 'A function that waits for a place begins although its process gets no message',
    run: async (stage) => {
      const [deaf, other] = await workersOf(stage)
      const running = [runFor(other, 1_000), runFor(other, 1_000)]
      await stage.sleep(100)
      const waiting = runFor(deaf, 10)
      await stage.sleep(100)
      deaf.delayMessages(3_600_000)
      await Promise.all(running)
      const freeAt = stage.now
      await waiting
      assert.ok(stage.now - freeAt <= DEAD_QUEUE_MS)
    },
  },
]

function workersOf(stage: Stage): Promise<[Process, Process]> {
  const settings = { lockWatchdogTimeout: WATCHDOG_MS }
  return Promise.all([stage.process('mine', settings), stage.process('other', settings)])
}

function limiterOf(client: RedissonClient): RWorkLimiter {
  return client.getWorkLimiter('mails', { concurrency: 2 })
}

function runFor(process: Process, ms: number): Promise<void> {
  return process.run((client) => limiterOf(client).run(() => sleep(ms)))
}

/** Where a request is remembered whose reply was lost. It ends by itself. */
const MEMORY = 'redisson_unlock_latch:'

/** Waits until nothing of the limiter is in Redis. */
async function emptied(stage: Stage): Promise<void> {
  const keys = () => stage.redis.command('KEYS', '*') as readonly string[]
  const isEmpty = () => keys().every((key) => key.startsWith(MEMORY))
  await stage.until(isEmpty, 'nothing is left in Redis', 2 * (WATCHDOG_MS + DEAD_QUEUE_MS))
}
