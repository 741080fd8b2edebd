import assert from 'node:assert/strict'
import type { RedissonClient, RMultiLock } from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

/** A call that takes something, or waits for something. */
interface Call {
  readonly make: (client: RedissonClient) => Promise<unknown>
  readonly prepare?: (client: RedissonClient) => Promise<unknown>
}

/** Calls that take something of which there is one. */
const CALLS: Readonly<Record<string, Call>> = {
  lock: { make: (client) => client.getLock('taken').acquire() },
  'fair lock': { make: (client) => client.getFairLock('taken').acquire() },
  'write lock': { make: (client) => client.getReadWriteLock('taken').writeLock().acquire() },
  'lock on values': { make: (client) => client.getMultiLock('taken', ['one']).acquire() },
  semaphore: {
    make: (client) => client.getSemaphore('taken').acquire(),
    prepare: (client) => client.getSemaphore('taken').trySetPermits(1),
  },
  'semaphore with leases': {
    make: (client) => client.getPermitExpirableSemaphore('taken').acquirePermit(),
    prepare: (client) => client.getPermitExpirableSemaphore('taken').trySetPermits(1),
  },
  'rate limiter': {
    make: (client) => client.getRateLimiter('taken').acquire(),
    prepare: (client) => client.getRateLimiter('taken').trySetRate('OVERALL', 1, 600_000),
  },
}

/** Calls that have to reach Redis before they can wait. */
const WAITING: Readonly<Record<string, Call>> = {
  ...CALLS,
  'spin lock': { make: (client) => client.getSpinLock('taken').acquire() },
  'multi-lock': {
    make: (client) => client.getMultiLock(client.getLock('one'), client.getLock('two')).acquire(),
  },
  latch: { make: (client) => client.getCountDownLatch('taken').await() },
  'run that happens once': {
    make: (client) => client.getOnce('taken', { ttlMs: 600_000 }).run(() => undefined),
  },
}

const betweenAttempts = Object.entries(CALLS).flatMap(([kind, call]): Scenario[] => [
  {
    name: `shutdown-between-attempts-${kind.replaceAll(' ', '-')}`,
    promise: `A call of a ${kind} that cannot reach Redis ends when the shutdown begins, with a ClientClosedError`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { retryDelay: 2_000 } })
      await mine.run((client) => client.getLock('held').acquire()) // what the shutdown waits for
      stage.network.partition({ host: 'mine' }, 'refuse')
      await stage.sleep(100)
      const outcome = outcomeName(mine.run(call.make))
      await stage.sleep(1_000)
      const closed = mine.run((client) => client.shutdown({ drainMs: 10_000 }))
      const closedAt = stage.now
      assert.equal(await outcome, 'ClientClosedError')
      assert.ok(stage.now - closedAt < 100, `it has ended after ${(stage.now - closedAt).toFixed(0)} ms`)
      await closed
    },
  },
  {
    name: `shutdown-after-lost-reply-${kind.replaceAll(' ', '-')}`,
    promise: `What a lost reply has granted to a call of a ${kind} is free after a shutdown between two attempts`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { server: { retryDelay: 2_000 } }),
        stage.process('other'),
      ])
      await other.run((client) => call.prepare?.(client))
      const lost = mine.loseReply({ with: 'taken' }, 100)
      const outcome = outcomeName(mine.run(call.make))
      await lost
      await stage.sleep(1_000)
      await mine.run((client) => client.shutdown())
      assert.equal(await outcome, 'ClientClosedError')
      let isTaken = false
      void other.run(call.make).then(() => (isTaken = true))
      await stage.until(() => isTaken, 'another process gets it', 1_000)
    },
  },
])

const withoutConnection = Object.entries(WAITING).map(([kind, { make }]): Scenario => ({
  name: `shutdown-without-connection-${kind.replaceAll(' ', '-')}`,
  promise: `A call of a ${kind} that waits for a connection ends when the shutdown begins, with a ClientClosedError`,
  run: async (stage) => {
    const mine = await stage.process('mine', { server: { reconnectionDelay: 10_000 } })
    await mine.run((client) => client.getLock('held').acquire()) // what the shutdown waits for
    stage.network.partition({ host: 'mine' }, 'refuse')
    await stage.sleep(100)
    const outcome = outcomeName(mine.run(make))
    await stage.sleep(1_000)
    const closed = mine.run((client) => client.shutdown({ drainMs: 1_000 }))
    const closedAt = stage.now
    assert.equal(await outcome, 'ClientClosedError')
    assert.ok(stage.now - closedAt < 1, `it has ended after ${(stage.now - closedAt).toFixed(0)} ms`)
    await closed
  },
}))

/** Locks of two clients as one, which cannot be had without the first client. */
const GROUPS: Readonly<Record<string, (closing: RedissonClient, other: RedissonClient) => RMultiLock>> = {
  'red lock': (closing, other) =>
    other.getRedLock(closing.getLock('first'), closing.getLock('second'), other.getLock('third')),
  'multi-lock': (closing, other) => other.getMultiLock(other.getLock('first'), closing.getLock('second')),
  'multi-lock with a red lock': (closing, other) =>
    other.getMultiLock(closing.getRedLock(closing.getLock('first')), other.getLock('third')),
}

/** Enough callers that most of them pause when the shutdown begins. */
const CALLERS = Array.from({ length: 10 })

const ofGroups = Object.entries(GROUPS).flatMap(([kind, group]) =>
  ['one of its clients', 'its only client'].map((whose): Scenario => ({
    name: `shutdown-of-${whose.replaceAll(' ', '-')}-${kind.replaceAll(' ', '-')}`,
    promise: `A call of a ${kind} that waits ends when the shutdown of ${whose} begins, with a ClientClosedError`,
    run: async (stage) => {
      const server = stage.server()
      for (const redis of [stage.redis, server])
        for (const name of ['first', 'second']) redis.command('HSET', name, 'another:1', '1')
      const mine = await stage.process('mine')
      const closing =
        whose === 'its only client'
          ? mine
          : await mine.another({ server: { address: `redis://${server.address}` } })
      const call = () => outcomeName(mine.run((client) => group(closing.client, client).acquire()))
      const outcomes = Promise.all(CALLERS.map(call))
      await stage.sleep(1_000)
      const closed = closing.run((client) => client.shutdown())
      const closedAt = stage.now
      assert.deepEqual(
        await outcomes,
        CALLERS.map(() => 'ClientClosedError'),
      )
      assert.ok(stage.now - closedAt < 10, `it has ended after ${(stage.now - closedAt).toFixed(0)} ms`)
      await closed
      await mine.run((client) => client.shutdown())
    },
  })),
)

const whileGivingBack: Scenario = {
  name: 'shutdown-while-red-lock-gives-back',
  promise:
    'A call of a red lock ends when the shutdown begins, although a server does not reply to what is given back',
  run: async (stage) => {
    for (const name of ['second', 'third']) stage.redis.command('HSET', name, 'another:1', '1')
    const mine = await stage.process('mine')
    const lost = mine.atScript({ with: 'first', nth: 2 }, 'lose')
    const outcome = outcomeName(
      mine.run((client) =>
        client.getRedLock(...['first', 'second', 'third'].map((name) => client.getLock(name))).acquire(),
      ),
    )
    await lost
    await stage.sleep(100)
    const closed = mine.run((client) => client.shutdown())
    const closedAt = stage.now
    assert.equal(await outcome, 'ClientClosedError')
    assert.ok(stage.now - closedAt < 10, `it has ended after ${(stage.now - closedAt).toFixed(0)} ms`)
    await closed
  },
}

export const shutdowns: readonly Scenario[] = [
  ...betweenAttempts,
  ...withoutConnection,
  ...ofGroups,
  whileGivingBack,
]
