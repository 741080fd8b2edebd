import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { BUSY } from '../server/trouble.js'
import { forKinds, type Kind } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const QUICK = { timeout: 500, retryAttempts: 1, retryDelay: 50, reconnectionDelay: 50 }

/** What a timer and a turn of the event loop add. */
const MARGIN_MS = 10

const KINDS: readonly Kind[] = [
  'lock',
  'fair lock',
  'fenced lock',
  'write lock',
  'read lock',
  'lock on values',
]

/** Calls that wait in a queue of their process. */
const QUEUES: Record<string, Wait> = {
  lock: (client, waiting) => client.getLock('lock').tryAcquire(waiting),
  'fair lock': (client, waiting) => client.getFairLock('lock').tryAcquire(waiting),
  'fenced lock': (client, waiting) => client.getFencedLock('lock').tryAcquire(waiting),
  'write lock': (client, waiting) => client.getReadWriteLock('lock').writeLock().tryAcquire(waiting),
  'preferred write lock': (client, waiting) =>
    client.getReadWriteLock('lock', { prefer: 'writer' }).writeLock().tryAcquire(waiting),
  'read lock': (client, waiting) => client.getReadWriteLock('lock').readLock().tryAcquire(waiting),
  'spin lock': (client, waiting) => client.getSpinLock('lock').tryAcquire(waiting),
  'lock on values': (client, waiting) => client.getMultiLock('lock', ['one', 'other']).tryAcquire(waiting),
  'multi-lock': (client, waiting) => client.getMultiLock(client.getLock('lock')).tryAcquire(waiting),
  semaphore: (client, waiting) => client.getSemaphore('lock', { permits: 1 }).tryAcquire(waiting),
  'permit semaphore': (client, waiting) => permitsOf(client).tryAcquirePermit(waiting),
  'rate limiter': (client, waiting) =>
    client.getRateLimiter('lock', { rate: 1, intervalMs: 100_000 }).tryAcquire(waiting),
  latch: (client, waiting) => client.getCountDownLatch('lock').await(waiting),
  set: (client, waiting) => client.getScoredSortedSet('lock').pollFirst(waiting),
}

type Wait = (client: Library.RedissonClient, waiting: Waiting) => Promise<unknown>

interface Waiting {
  readonly waitMs: number
}

/** Calls that take the last of it, so that later ones have to wait. */
const TAKEN: Record<string, (client: Library.RedissonClient) => Promise<unknown>> = {
  lock: (client) => client.getLock('lock').acquire(),
  'fair lock': (client) => client.getFairLock('lock').acquire(),
  'write lock': (client) => client.getReadWriteLock('lock').writeLock().acquire(),
  semaphore: (client) => client.getSemaphore('lock', { permits: 1 }).acquire(),
  'permit semaphore': (client) => permitsOf(client).acquirePermit({ leaseMs: 100_000 }),
  'rate limiter': (client) => client.getRateLimiter('lock', { rate: 1, intervalMs: 100_000 }).acquire(),
  latch: (client) => client.getCountDownLatch('lock').trySetCount(1),
}

/** Why Redis does not run a script for now. */
const REFUSALS = [
  ['loading', 'LOADING Redis is loading the dataset in memory'],
  ['readonly', "READONLY You can't write against a read only replica."],
  ['busy', BUSY],
] as const

const CLUSTER_REFUSALS = [
  ['down', 'CLUSTERDOWN The cluster is down'],
  ['moving', 'TRYAGAIN Multiple keys request during rehashing of slot'],
  ['busy', BUSY],
] as const

/** The result of a call, or its error. */
const outcomeOf = (call: Promise<unknown>) => call.catch((error: unknown) => error)

export const timeLimits: readonly Scenario[] = [
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'late-reply-then-silence',
    promise: `A call whose ${kind} was over before the reply came says so at once, also where Redis is silent by then`,
    run: (stage) =>
      getTooLate(stage, {
        settings: { server: QUICK },
        take: (client) => lockOf(client).tryAcquire({ leaseMs: 150, waitMs: 400 }),
        prepare: (client) => lockOf(client).withLock(() => undefined),
        withinMs: 300,
        error: 'LockLostError',
      }),
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'late-reply-then-silence-with-watchdog',
    promise: `A call whose ${kind} was over before the reply came keeps to its time limit, also where Redis is silent by then`,
    run: (stage) =>
      getTooLate(stage, {
        settings: { server: QUICK, lockWatchdogTimeout: 150 },
        take: (client) => lockOf(client).tryAcquire({ waitMs: 400 }),
        prepare: (client) => lockOf(client).withLock(() => undefined),
        withinMs: 400,
        error: 'LockLostError',
      }),
  })),
  ...Object.entries(QUEUES).map(([kind, wait]): Scenario => ({
    name: `silence-in-front-${kind.replaceAll(' ', '-')}`,
    promise: `A call for a ${kind} that stands behind one without a reply does not say that there was nothing to get`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, timeout: 10_000 } })
      await mine.run((client) => client.ping())
      stage.network.partition({ host: 'mine' }, 'lose')
      const first = outcomeName(mine.run((client) => wait(client, { waitMs: 2_000 })))
      await stage.sleep(50)
      const { outcome, tookMs } = await timed(
        stage,
        mine.run((client) => wait(client, { waitMs: 500 })),
      )
      assert.match(outcome, /^(?:ReplyTimeout|ConnectionLost)Error$/)
      assert.ok(tookMs <= 500 + MARGIN_MS, `it has taken ${String(tookMs)} ms`)
      assert.match(await first, /^(?:ReplyTimeout|ConnectionLost)Error$/)
    },
  })),
  ...Object.entries(QUEUES).flatMap(([kind, wait]) =>
    REFUSALS.map(([reason, words]): Scenario => ({
      name: `not-ready-${reason}-${kind.replaceAll(' ', '-')}`,
      promise: `A call for a ${kind} that Redis refuses for longer than it waits (${reason}) says so in time`,
      run: async (stage) => {
        const mine = await stage.process('mine')
        await mine.run((client) => client.ping())
        refuseScripts(stage.redis, words)
        await demandNotReady(stage, mine, wait)
      },
    })),
  ),
  ...Object.entries(QUEUES).flatMap(([kind, wait]) =>
    CLUSTER_REFUSALS.map(([reason, words]): Scenario => ({
      name: `cluster-not-ready-${reason}-${kind.replaceAll(' ', '-')}`,
      promise: `A call for a ${kind} that a cluster refuses for longer than it waits (${reason}) says so in time`,
      run: async (stage) => {
        const { masters } = stage.cluster(3)
        const nodeAddresses = masters.map(({ address }) => `redis://${address}`)
        const mine = await stage.processFor('mine', { clusterServersConfig: { nodeAddresses } })
        for (const master of masters) refuseScripts(master, words)
        await demandNotReady(stage, mine, wait)
      },
    })),
  ),
  ...Object.entries(TAKEN).map(([kind, take]): Scenario => ({
    name: `refused-in-front-${kind.replaceAll(' ', '-')}`,
    promise: `A call for a ${kind} that stands behind one that was refused says in time that there was nothing to get`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await other.run(take)
      const wait = (waitMs: number) => mine.run((client) => QUEUES[kind]?.(client, { waitMs }))
      const first = wait(2_000)
      await stage.sleep(50)
      const waits = Array.from({ length: 20 }, (_, n) => wait(200 + n))
      for (const got of await Promise.all([...waits, first])) assert.ok(got === undefined || got === false)
    },
  })),
  ...Object.entries(TAKEN).map(([kind, take]): Scenario => ({
    name: `late-in-line-${kind.replaceAll(' ', '-')}`,
    promise: `Calls for a ${kind} that become the first of their queue shortly before their end say that there was nothing to get`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await other.run(take)
      mine.slow(30)
      const waits: Promise<unknown>[] = []
      for (let count = 0; count < 60; count += 1) {
        waits.push(outcomeOf(mine.run((client) => QUEUES[kind]?.(client, { waitMs: 300 }))))
        await stage.sleep(5)
      }
      for (const got of await Promise.all(waits)) assert.ok(got === undefined || got === false, String(got))
    },
  })),
  ...Object.entries(TAKEN).map(([kind, take]): Scenario => ({
    name: `silence-behind-refused-${kind.replaceAll(' ', '-')}`,
    promise: `A call for a ${kind} that came after Redis fell silent does not say that there was nothing to get`,
    run: async (stage) => {
      const server = { ...QUICK, timeout: 10_000 }
      const [mine, other] = await Promise.all([stage.process('mine', { server }), stage.process('other')])
      await other.run(take)
      const wait = (waitMs: number) => outcomeName(mine.run((client) => QUEUES[kind]?.(client, { waitMs })))
      const told = [wait(500), wait(1_500)]
      await stage.sleep(200)
      stage.network.partition({ host: 'mine' }, 'lose')
      await stage.sleep(350)
      const untold = [wait(1_500), wait(1_200)]
      for (const outcome of await Promise.all(untold))
        assert.match(outcome, /^(?:ReplyTimeout|ConnectionLost)Error$/)
      await Promise.all(told)
    },
  })),
  {
    name: 'late-permit-then-silence',
    promise:
      'A call whose permit was over before the reply came says so at once, also where Redis is silent by then',
    run: (stage) =>
      getTooLate(stage, {
        settings: { server: QUICK },
        take: (client) => permitsOf(client).tryAcquirePermit({ leaseMs: 150, waitMs: 400 }),
        prepare: (client) => permitsOf(client).withPermit(() => undefined),
        withinMs: 300,
        error: 'PermitLostError',
      }),
  },
  {
    name: 'unconfirmed-then-silence',
    promise:
      'A call whose lock too few replicas confirm says so within its time limit, also where Redis is silent by then',
    run: async (stage) => {
      const replica = stage.server()
      stage.redis.addReplica(replica)
      const mine = await stage.process('mine', { server: QUICK, slavesSyncTimeout: 300 })
      const lock = await mine.run((client) => client.getLock('lock', { syncedReplicas: 1 }))
      await mine.run(() => lock.withLock(() => undefined))
      stage.network.freeze(replica.address, 600_000)
      for (const waitMs of [800, 0]) {
        const silent = mine.atScript({ with: 'lock', nth: 2 }, 'lose') // the release
        const call = timed(
          stage,
          mine.run(() => lock.tryAcquire({ waitMs })),
        )
        await silent
        const { outcome, tookMs } = await call
        assert.equal(outcome, 'NotReplicatedError')
        assert.ok(tookMs <= 800 + MARGIN_MS, `it has taken ${String(tookMs)} ms`)
        await stage.gone('lock')
        await mine.run(() => lock.isLocked())
      }
    },
  },
  {
    name: 'multi-lock-silent-at-a-member',
    promise: 'tryLock() of a multi-lock rejects within the timeout where Redis is silent at a member',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: QUICK })
      const both = await mine.run((client) =>
        client.getMultiLock(client.getLock('one'), client.getLock('two')),
      )
      await mine.run(() => both.withLock(() => undefined))
      const silent = mine.atScript({ with: 'two' }, () => {
        stage.network.partition({ host: 'mine' }, 'lose')
        return 'lose'
      })
      const call = timed(
        stage,
        mine.run(() => both.tryLock()),
      )
      await silent
      const { outcome, tookMs } = await call
      assert.equal(outcome, 'ReplyTimeoutError')
      assert.ok(tookMs <= QUICK.timeout + 2 * MARGIN_MS, `it has taken ${String(tookMs)} ms`)
    },
  },
]

interface TooLate {
  readonly settings: Parameters<Stage['process']>[1]
  /** Has the server know the scripts. */
  readonly prepare: (client: Library.RedissonClient) => Promise<unknown>
  readonly take: (client: Library.RedissonClient) => Promise<unknown>
  readonly withinMs: number
  readonly error: string
}

/** Takes something whose lease is over before the reply comes. From then on the server is silent. */
async function getTooLate(
  stage: Stage,
  { settings, prepare, take, withinMs, error }: TooLate,
): Promise<void> {
  const mine = await stage.process('mine', settings)
  await mine.run(prepare)
  await stage.sleep(100)
  const ran = mine.delayReply({ with: 'lock' }, 250)
  const call = timed(stage, mine.run(take))
  await ran
  void mine.atScript({ with: 'lock' }, 'lose') // the release
  const { outcome, tookMs } = await call
  assert.equal(outcome, error)
  assert.ok(tookMs <= withinMs + MARGIN_MS, `it has taken ${String(tookMs)} ms`)
}

/** How a call ends, and how long it takes. */
async function timed(
  stage: Stage,
  call: Promise<unknown>,
): Promise<{ readonly outcome: string; readonly tookMs: number }> {
  const startedAt = stage.now
  const outcome = await outcomeName(call)
  return { outcome, tookMs: stage.now - startedAt }
}

function permitsOf(client: Library.RedissonClient): Library.RPermitExpirableSemaphore {
  return client.getPermitExpirableSemaphore('lock', { permits: 1 })
}

function refuseScripts({ server }: SimulatedRedis, words: string): void {
  for (const name of ['eval', 'evalsha', 'zpopmin', 'get']) server.refusals.set(name, words)
}

/** Demands that a call ends within its time, and says that Redis was not ready. */
async function demandNotReady(stage: Stage, process: Process, wait: Wait): Promise<void> {
  const { outcome, tookMs } = await timed(
    stage,
    process.run((client) => wait(client, { waitMs: 50 })),
  )
  assert.equal(outcome, 'ServerNotReadyError')
  assert.ok(tookMs <= 50 + MARGIN_MS, `it has taken ${String(tookMs)} ms`)
}
