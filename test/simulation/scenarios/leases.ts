import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import { forKinds, type Kind, type LockOf } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** The largest batch that the settings allow. */
const MOST = 5_000

/** More than a script may unpack. */
const TOO_MANY = 8_001

/** Locks whose key has the lease of its one holder. */
const KINDS: readonly Kind[] = [
  'lock',
  'fair lock',
  'fenced lock',
  'non-reentrant lock',
  'write lock',
  'read lock',
]

export const leases: readonly Scenario[] = [
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'late-reply',
    promise: `A hold of a ${kind} is over here when it is over in Redis, although the reply was late`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      await load(stage, mine, lockOf)
      const ran = mine.delayReply({ with: 'lock' }, 400)
      const acquired = mine.run((client) => lockOf(client).acquire({ leaseMs: 1_000 }))
      await ran
      const hold = await acquired
      await stage.gone('lock')
      assert.equal(await mine.run(() => hold.isHeld), false)
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'late-reply-to-renewal',
    promise: `A hold of a ${kind} is over here when it is over in Redis, although the reply to its renewal was late`,
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: 900 })
      const hold = await mine.run((client) => lockOf(client).acquire())
      await mine.delayReply({ with: 'lock' }, 250)
      await stage.sleep(270)
      stage.network.partition({ host: 'mine' }, 'lose')
      await stage.gone('lock')
      assert.equal(await mine.run(() => hold.isHeld), false)
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'reply-after-the-lease',
    promise: `No call returns a ${kind} whose lease has ended before the reply came`,
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: 300 })
      await load(stage, mine, lockOf)
      const ran = mine.delayReply({ with: 'lock' }, 500)
      const acquired = mine.run(async (client) => {
        const hold = await lockOf(client).acquire()
        return [hold.isHeld, stage.has('lock')]
      })
      await ran
      assert.deepEqual(await acquired, [true, true])
    },
  })),
  {
    name: 'permit-reply-after-the-lease',
    promise:
      'withPermit() runs its function with a permit, although the lease of the first ended before the reply came',
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: 300 })
      await mine.run((client) => client.getPermitExpirableSemaphore('permits').trySetPermits(1))
      const ran = mine.delayReply({ with: 'permits' }, 500)
      const held = mine.run((client) =>
        client.getPermitExpirableSemaphore('permits').withPermit(({ isHeld }) => isHeld),
      )
      await ran
      assert.equal(await held, true)
    },
  },
  {
    name: 'lock-released-late',
    promise:
      'A withLock() whose function has ended in time returns its result, although the release arrives after the lease has ended',
    run: (stage) => endLate(stage, (client, work) => client.getLock('lock').withLock(work)),
  },
  {
    name: 'permit-released-late',
    promise:
      'A withPermit() whose function has ended in time returns its result, although the release arrives after the lease has ended',
    run: (stage) =>
      endLate(stage, async (client, work) => {
        const permits = client.getPermitExpirableSemaphore('permits')
        await permits.trySetPermits(1)
        return await permits.withPermit(work)
      }),
  },
  {
    name: 'largest-batch',
    promise: 'Thousands of locks are renewed, in the largest batches that the settings allow',
    run: async (stage) => {
      const mine = await withLargestBatches(stage)
      const holds = await mine.run((client) =>
        Promise.all(
          Array.from({ length: TOO_MANY }, (_, n) => client.getLock(`lock:${String(n)}`).acquire()),
        ),
      )
      await stage.sleep(8_000)
      assert.equal(holds.filter(({ isHeld }) => !isHeld).length, 0)
    },
  },
  {
    name: 'multi-lock-lease',
    promise: 'The lease of a multi-lock ends in time, although a renewal was due when it began',
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { lockWatchdogTimeout: 600 }),
        stage.process('other'),
      ])
      const begins = mine.delayReply({ with: 'lock', nth: 2 }, 300) // of the request that gives the lock its lease
      void outcomeName(
        mine.run((client) => client.getMultiLock(client.getLock('lock')).acquire({ leaseMs: 400 })),
      )
      await begins
      await stage.sleep(450)
      const theirs = await other.run((client) => client.getLock('lock').tryAcquire())
      assert.ok(theirs, 'the lock is still taken')
    },
  },
  {
    name: 'forced-twice',
    promise: 'A forceUnlock() that is sent again does not end a hold that began meanwhile',
    run: async (stage) => {
      const server = { timeout: 500, retryAttempts: 3, retryDelay: 800, reconnectionDelay: 20 }
      const [mine, other] = await Promise.all([stage.process('mine', { server }), stage.process('other')])
      await other.run((client) => client.getLock('lock').acquire())
      const lost = mine.loseReply({ with: 'lock' }, 10)
      const forced = mine.run((client) => client.getLock('lock').forceUnlock())
      await lost
      await mine.reconnected()
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      await forced
      await stage.sleep(100)
      assert.equal(hold.isHeld, stage.redis.command('HEXISTS', 'lock', hold.owner) === 1)
    },
  },
  {
    name: 'permit-shortened',
    promise: 'A hold of a permit follows updateLeaseTime() of its id',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const hold = await mine.run(async (client) => {
        const permits = client.getPermitExpirableSemaphore('permits')
        await permits.trySetPermits(1)
        const held = await permits.acquirePermit({ leaseMs: 60_000 })
        await permits.updateLeaseTime(held.id, 300)
        return held
      })
      await stage.sleep(500)
      const next = await mine.run((client) =>
        client.getPermitExpirableSemaphore('permits').tryAcquirePermit(),
      )
      assert.ok(!(next && hold.isHeld), 'two hold the permit')
    },
  },
]

/** Starts a process whose watchdog renews as many locks at once as the library allows. */
function withLargestBatches(stage: Stage): Promise<Process> {
  const start = (lockWatchdogBatchSize: number) =>
    stage.process(`batches of ${String(lockWatchdogBatchSize)}`, {
      lockWatchdogTimeout: 6_000,
      lockWatchdogBatchSize,
    })
  return start(TOO_MANY).catch(() => start(MOST))
}

/** Has a server know the scripts of a lock, so that they take one message from now on. */
async function load(stage: Stage, process: Process, lockOf: LockOf): Promise<void> {
  await process.run((client) => lockOf(client).withLock(() => undefined))
  await stage.gone('lock')
}

/** Has work end in time, and its release arrive when the lease is over, while its caller waits for that. */
async function endLate(
  stage: Stage,
  hold: (client: Library.RedissonClient, work: () => Promise<string>) => Promise<string>,
): Promise<void> {
  const mine = await stage.process('mine', { lockWatchdogTimeout: 600, releaseWaitMs: 60_000 })
  const result = await mine.run((client) =>
    hold(client, async () => {
      await stage.sleep(50)
      stage.network.partition({ host: 'mine' }, 'hold', 1_000)
      return 'done'
    }),
  )
  assert.equal(result, 'done')
}
