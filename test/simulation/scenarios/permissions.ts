import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import { forKinds } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const AN_HOUR_MS = 3_600_000

/** What scripts call that acquire something, and that change something or come after a change. */
const COMMANDS = [
  'pexpire',
  'hset',
  'hincrby',
  'zadd',
  'rpush',
  'set',
  'incr',
  'incrby',
  'decrby',
  'publish',
  'pttl',
]

/** Ways to acquire one permit. Each resolves with undefined if there was none in time. */
const PERMITS: Record<string, (client: RedissonClient, waitMs: number) => Promise<unknown>> = {
  semaphore: async (client, waitMs) =>
    (await client.getSemaphore('plain').tryAcquire({ waitMs })) || undefined,
  'permit-semaphore': (client, waitMs) =>
    client.getPermitExpirableSemaphore('expirable').tryAcquirePermit({ waitMs, leaseMs: AN_HOUR_MS }),
  'rate-limiter': async (client, waitMs) =>
    (await client.getRateLimiter('rate').tryAcquire({ waitMs })) || undefined,
}

const USER = { username: 'app', password: 'secret' }

export const permissions: readonly Scenario[] = [
  {
    name: 'unlock-without-channels',
    promise: 'unlock() succeeds for a user that may not publish, as the lock is free',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      await mine.run(() => hold.unlock())
      assert.ok(!stage.has('lock'))
    },
  },
  {
    name: 'release-without-channels',
    promise: 'release() counts once for a user that may not publish',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      stage.redis.command('SET', 'permits', 0)
      await mine.run((client) => client.getSemaphore('permits').release())
      assert.equal(stage.redis.command('GET', 'permits'), '1')
    },
  },
  {
    name: 'latch-without-channels',
    promise: 'trySetCount() succeeds for a user that may not publish, as the count is set',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      assert.equal(await mine.run((client) => client.getCountDownLatch('latch').trySetCount(1)), true)
    },
  },
  ...forKinds(['lock', 'write lock'], (kind, lockOf) => ({
    name: 'channel-revoked',
    promise: `A waiter for a ${kind} whose channel is forbidden for a moment is not left waiting`,
    run: async (stage) => {
      let isAllowed = true
      userThatHears(stage, () => isAllowed)
      const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
      const hold = await other.run((client) => lockOf(client).acquire())
      let outcome: string | undefined
      const waiter = outcomeName(mine.run((client) => lockOf(client).acquire()))
      void waiter.then((name) => (outcome = name))
      await stage.sleep(100)
      isAllowed = false
      mine.cut()
      await stage.sleep(1_500)
      isAllowed = true
      await stage.sleep(1_000)
      await other.run(() => hold.unlock())
      await stage.until(() => outcome !== undefined, 'the waiter has the lock, or an error', 5_000)
    },
  })),
  ...COMMANDS.flatMap((command) =>
    forKinds(
      // what a failed script leaves of a lock on values ends with its lease
      [
        'lock',
        'fair lock',
        'fenced lock',
        'non-reentrant lock',
        'read lock',
        'write lock',
        'preferred write lock',
        'spin lock',
        'multi-lock',
      ],
      (kind, lockOf, rivalOf) => ({
        name: `refused-${command}`,
        promise: `A ${kind} is free once a user may call ${command} who could not while it was acquired`,
        run: async (stage) => {
          const setRefused = userWithout(stage, command)
          const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
          const waiting = { waitMs: 100, leaseMs: AN_HOUR_MS }
          const got = await mine.run((client) => lockOf(client).tryAcquire(waiting)).catch(() => undefined)
          setRefused(false)
          await mine.run(() => got?.unlock())
          await stage.sleep(5_000)
          await mine.run((client) => client.shutdown())
          const hold = await other.run((client) => rivalOf(client).tryAcquire({ waitMs: 1_000 }))
          assert.ok(hold !== undefined)
        },
      }),
    ),
  ),
  ...COMMANDS.flatMap((command) =>
    Object.entries(PERMITS).map(([kind, acquire]): Scenario => ({
      name: `refused-${command}-${kind}`,
      promise: `A ${kind} has no more permits than before after calls of a user who may not call ${command}`,
      run: async (stage) => {
        userWithout(stage, command)
        const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
        await other.run((client) => client.getSemaphore('plain').trySetPermits(1))
        await other.run((client) => client.getPermitExpirableSemaphore('expirable').trySetPermits(1))
        await other.run((client) => client.getRateLimiter('rate').trySetRate('OVERALL', 1, AN_HOUR_MS))
        for (let call = 0; call < 3; call += 1) await outcomeName(mine.run((client) => acquire(client, 100)))
        await stage.sleep(5_000)
        await outcomeName(other.run((client) => acquire(client, 1_000)))
        assert.equal(await other.run((client) => acquire(client, 1_000)), undefined)
      },
    })),
  ),
  {
    name: 'refused-hset-within-values',
    promise: 'A named thread keeps its lock on values after a call by which it could not enter again',
    run: async (stage) => {
      const setRefused = userWithout(stage, 'hset', false)
      const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
      const lockOf = (client: RedissonClient) => client.getMultiLock('lock', ['one', 'other'])
      await mine.run((client) => lockOf(client).lock({ threadId: 7, leaseMs: AN_HOUR_MS }))
      setRefused(true)
      await outcomeName(mine.run((client) => lockOf(client).tryLock({ threadId: 7 })))
      setRefused(false)
      await stage.sleep(5_000)
      assert.equal(await other.run((client) => lockOf(client).tryLock()), false)
    },
  },
]

/** Adds a user who may call anything but one command. Returns a function that sets whether that is refused. */
function userWithout(stage: Stage, command: string, isRefused = true): (refused: boolean) => void {
  stage.redis.server.addUser({
    name: USER.username,
    password: USER.password,
    may: (name) => !isRefused || name !== command,
    mayHear: () => true,
  })
  return (refused) => {
    isRefused = refused
  }
}

function userThatHears(stage: Stage, mayHear: () => boolean): void {
  stage.redis.server.addUser({ name: USER.username, password: USER.password, may: () => true, mayHear })
}
