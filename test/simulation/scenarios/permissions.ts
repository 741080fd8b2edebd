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

type Release = () => Promise<unknown>

/** Ways to acquire a permit. Each resolves with a function that releases it, unless there was none in time. */
const PERMITS: Record<string, (client: RedissonClient, waitMs: number) => Promise<Release | undefined>> = {
  semaphore: async (client, waitMs) => {
    const semaphore = client.getSemaphore('plain')
    return (await semaphore.tryAcquire({ waitMs })) ? () => semaphore.release() : undefined
  },
  'permit-semaphore': async (client, waitMs) => {
    const semaphore = client.getPermitExpirableSemaphore('expirable')
    const hold = await semaphore.tryAcquirePermit({ waitMs, leaseMs: AN_HOUR_MS })
    return hold && (() => hold.release())
  },
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
        'lock on values',
      ],
      (kind, lockOf, rivalOf) => ({
        name: `refused-${command}`,
        promise: `A ${kind} is free once a user may call ${command} who could not while it was acquired`,
        run: async (stage) => {
          const mayAgain = userWithout(stage, command)
          const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
          const waiting = { waitMs: 100, leaseMs: AN_HOUR_MS }
          const got = await mine.run((client) => lockOf(client).tryAcquire(waiting)).catch(() => undefined)
          mayAgain()
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
      promise: `A ${kind} has all of its permits once a user may call ${command} who could not while one was acquired`,
      run: async (stage) => {
        const other = await stage.process('other')
        await other.run((client) => client.getSemaphore('plain').trySetPermits(1))
        await other.run((client) => client.getPermitExpirableSemaphore('expirable').trySetPermits(1))
        const mayAgain = userWithout(stage, command)
        const mine = await stage.process('mine', USER)
        const release = await mine.run((client) => acquire(client, 100)).catch(() => undefined)
        mayAgain()
        await mine.run(() => release?.())
        await stage.sleep(5_000)
        await mine.run((client) => client.shutdown())
        assert.ok((await other.run((client) => acquire(client, 1_000))) !== undefined)
      },
    })),
  ),
]

/** Has a user who may call anything but one command, until what this returns is called. */
function userWithout(stage: Stage, command: string): () => void {
  let isRefused = true
  stage.redis.server.addUser({
    name: USER.username,
    password: USER.password,
    may: (name) => !isRefused || name !== command,
    mayHear: () => true,
  })
  return () => {
    isRefused = false
  }
}

function userThatHears(stage: Stage, mayHear: () => boolean): void {
  stage.redis.server.addUser({ name: USER.username, password: USER.password, may: () => true, mayHear })
}
