import assert from 'node:assert/strict'
import type { ComputeContext, RedissonClient } from '../../../src/index.js'
import { askedBy, runsScript } from './messages.js'
import type { WhichScript } from './process.js'
import type { Scenario } from './scenario.js'

/** Longer than any reply may take. */
const STANDSTILL_MS = 10_000

const LEASE_MS = 30_000
const AN_HOUR_MS = 3_600_000

/** Calls, and the request of each whose reply arrives while the process stands still. */
const CALLS: readonly (readonly [
  string,
  WhichScript,
  (client: RedissonClient) => Promise<unknown>,
  unknown,
])[] = [
  ['increment', { command: 'INCRBY' }, (client) => client.getAtomicLong('number').incrementAndGet(), 1],
  ['get', { command: 'GET' }, (client) => client.getBucket('bucket').get(), 'value'],
  [
    'lock',
    { with: 'lock' },
    (client) =>
      client
        .getLock('lock')
        .acquire()
        .then((hold) => hold.isHeld),
    true,
  ],
  [
    'batch',
    { command: 'INCRBY' },
    (client) => client.batch((batch) => [batch.getAtomicLong('number').incrementAndGet()]),
    [1],
  ],
]

/** Releases at the end of a function, each the second script of its name. */
const RELEASES: readonly (readonly [string, (client: RedissonClient) => Promise<unknown>])[] = [
  ['lock', (client) => client.getLock('lock').withLock(() => undefined)],
  [
    'read-lock',
    (client) =>
      client
        .getReadWriteLock('lock')
        .readLock()
        .withLock(() => undefined),
  ],
  ['multi-lock', (client) => client.getMultiLock(client.getLock('lock')).withLock(() => undefined)],
  [
    'permit',
    (client) => client.getPermitExpirableSemaphore('lock', { permits: 1 }).withPermit(() => undefined),
  ],
  ['semaphore', (client) => client.getSemaphore('lock').withPermit(() => undefined)],
  ['once', (client) => client.getOnce('lock', { ttlMs: AN_HOUR_MS }).run(() => undefined, { retry: 'both' })],
]

/** What the watchdog renews, and how its use comes to an end that tells a loss. */
const USES: readonly (readonly [string, (client: RedissonClient, work: Work) => Promise<unknown>])[] = [
  ['with-lock', (client, work) => client.getLock('lock').withLock(work)],
  [
    'unlock',
    async (client, work) => {
      await client.getLock('lock').lock()
      await work()
      await client.getLock('lock').unlock()
    },
  ],
  [
    'unlock-named',
    async (client, work) => {
      await client.getLock('lock').lock({ threadId: 7 })
      await work()
      await client.getLock('lock').unlock({ threadId: 7 })
    },
  ],
  [
    'hold',
    async (client, work) => {
      const hold = await client.getLock('lock').acquire()
      await work()
      await hold.unlock()
    },
  ],
  [
    'extend',
    async (client, work) => {
      const hold = await client.getLock('lock').acquire()
      await work()
      await hold.extend()
    },
  ],
  ['multi-lock', (client, work) => client.getMultiLock(client.getLock('lock')).withLock(work)],
  ['permit', (client, work) => client.getPermitExpirableSemaphore('lock', { permits: 1 }).withPermit(work)],
  [
    'permit-extended',
    async (client, work) => {
      const hold = await client.getPermitExpirableSemaphore('lock', { permits: 1 }).acquirePermit()
      await work()
      await hold.extend()
    },
  ],
]

type Work = () => Promise<void>

export const standingStill: readonly Scenario[] = [
  ...CALLS.map(([name, which, call, expected]): Scenario => ({
    name: `standstill-with-reply-${name}`,
    promise: `A reply that has arrived while the process stood still is not late (${name})`,
    run: async (stage) => {
      stage.redis.command('SET', 'bucket', '"value"')
      const mine = await stage.process('mine')
      let asked = ''
      const sent = mine.atScript(which, (request) => {
        asked = askedBy(request)
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const called = mine.run(call)
      await sent
      let again = 0
      void mine.atScript(which, (request) => {
        if (askedBy(request) === asked) again += 1 // a lock that was granted late is renewed at once
        return 'deliver'
      })
      assert.deepEqual(await called, expected)
      await stage.sleep(1_000)
      assert.equal(again, 0, 'it was asked for again')
    },
  })),
  {
    name: 'standstill-of-waiters-rate',
    promise: 'All callers whose time was over while the process stood still are granted what the rate allows',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const limiter = () =>
        mine.run((client) => client.getRateLimiter('rate', { rate: 5, intervalMs: 400 }).tryAcquire(1, 500))
      await Promise.all(Array.from({ length: 5 }, limiter))
      const waits = Array.from({ length: 4 }, limiter)
      await stage.sleep(100)
      mine.freeze(1_000)
      assert.deepEqual(await Promise.all(waits), [true, true, true, true])
    },
  },
  {
    name: 'standstill-of-waiters-semaphore',
    promise: 'All callers whose time was over while the process stood still get the permits that there are',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await other.run((client) => client.getSemaphore('permits', { permits: 1 }).acquire())
      const waits = Array.from({ length: 350 }, () =>
        mine.run((client) => client.getSemaphore('permits').tryAcquire(1, 500)),
      )
      await stage.sleep(200)
      mine.freeze(1_000)
      await other.run((client) => client.getSemaphore('permits').release(1_000))
      const got = await Promise.all(waits)
      assert.equal(got.filter((each) => each).length, waits.length)
      assert.equal(await other.run((client) => client.getSemaphore('permits').availablePermits()), 650)
    },
  },
  {
    name: 'standstill-with-renewal',
    promise: 'A lock stays held whose renewal had its reply while the process stood still',
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: 30_000 })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const renewed = mine.atScript({ with: 'lock' }, () => {
        mine.freeze(20_000)
        return 'deliver'
      })
      await renewed
      await stage.sleep(40_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
  ...RELEASES.map(([name, call]): Scenario => ({
    name: `standstill-with-release-${name}`,
    promise: `A release at the end of a function whose reply has arrived while the process stood still is not late (${name})`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      if (name === 'semaphore') await mine.run((client) => client.getSemaphore('lock').trySetPermits(1))
      const delayed: unknown[] = []
      mine.client.on('releaseDelayed', (event) => delayed.push(event))
      const key = name === 'once' ? 'redisson_once:{lock}:' : 'lock'
      const released = mine.atScript({ with: key, nth: 2 }, () => {
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const called = mine.run(call)
      await released
      await called
      assert.deepEqual(delayed, [])
    },
  })),
  ...USES.map(([name, use]): Scenario => ({
    name: `standstill-until-end-${name}`,
    promise: `What was renewed is not lost at its end although the process stood still when the reply came (${name})`,
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: LEASE_MS })
      let isInside = false
      const used = mine.run((client) =>
        use(client, async () => {
          isInside = true
          await stage.sleep(LEASE_MS / 2) // over while the process stands still
        }),
      )
      await stage.until(() => isInside, 'it is inside')
      await mine.atScript({ with: name.startsWith('permit') ? '{lock}:timeout' : 'lock' }, () => {
        mine.freeze(LEASE_MS - 2_000)
        return 'deliver'
      })
      await used
    },
  })),
  {
    name: 'standstill-with-quorum',
    promise: 'A red lock counts the replies that have arrived while the process stood still',
    run: async (stage) => {
      const mine = await stage.process('mine')
      let asked = 0
      stage.network.intercept({
        request: (message) => void (asked += Number(runsScript(stage.redis, message))),
      })
      const sent = mine.atScript({ with: 'a' }, () => {
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const taken = mine.run((client) =>
        client.getRedLock(...['a', 'b', 'c'].map((name) => client.getLock(name))).acquire(),
      )
      await sent
      await taken
      assert.equal(asked, 3)
    },
  },
  {
    name: 'standstill-with-claim',
    promise:
      'What a map writes behind is not taken for claimed by another client where the claim was extended while the process stood still',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const aborted: boolean[] = []
      let isWriting = false
      const writer = {
        write: async (_: unknown, { signal }: ComputeContext) => {
          isWriting = true
          await stage.sleep(LEASE_MS + 20_000)
          aborted.push(signal.aborted)
        },
        delete: () => undefined,
      }
      await mine.run((client) =>
        client.getMap<string, string>('prices', { writeMode: 'WRITE_BEHIND', writer }).put('a', '1'),
      )
      await stage.until(() => isWriting, 'it is written')
      await mine.atScript({ with: '{prices}:write-behind-claimed' }, () => {
        mine.freeze(LEASE_MS - 2_000)
        return 'deliver'
      })
      await stage.until(() => aborted.length > 0, 'it is written')
      assert.deepEqual(aborted, [false])
    },
  },
  {
    name: 'standstill-with-message',
    promise:
      'A waiter gets the lock that became free in its time, although the process stood still until that was over',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await other.run((client) => client.getLock('lock').acquire())
      const taken = mine.run((client) => client.getLock('lock').tryAcquire({ waitMs: 3_000 }))
      await stage.sleep(1_000)
      mine.freeze(STANDSTILL_MS)
      await stage.sleep(1_000)
      await other.run(() => hold.unlock())
      assert.ok(await taken)
    },
  },
  ...(['topic', 'adder', 'latch'] as const).map((name): Scenario => ({
    name: `standstill-with-subscription-${name}`,
    promise: `A channel counts as heard whose confirmation has arrived while the process stood still (${name})`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      const sent = mine.atScript({ command: 'SUBSCRIBE' }, () => {
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const listening = mine.run(async (client) => {
        if (name === 'topic') await client.getTopic('topic').addListener(() => undefined)
        else if (name === 'adder') {
          const adder = client.getLongAdder('adder')
          adder.add(1)
          await adder.sum()
        } else await client.getCountDownLatch('latch').await(20_000)
      })
      if (name === 'latch') stage.redis.command('SET', 'latch', '1')
      await sent
      if (name === 'latch') await stage.sleep(5).then(() => stage.redis.command('DEL', 'latch'))
      await listening
    },
  })),
  {
    name: 'standstill-at-creation',
    promise: 'A client is created in time whose connection was made while the process stood still',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const connected = mine.atScript({ command: 'INFO' }, () => {
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const created = mine.another({ connectWaitMs: 5_000 })
      await connected
      await created
    },
  },
]
