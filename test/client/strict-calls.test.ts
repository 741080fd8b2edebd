import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

type Call = readonly [what: string, call: (client: RedissonClient) => unknown, message: string]

const untyped = (object: unknown): Untyped => object as Untyped
const call = (object: unknown, method: string, ...args: readonly unknown[]): unknown =>
  untyped(object)[method]?.(...args)
const nothing = () => undefined
const id = '0'.repeat(32)

const wait = '`waitMs`?'
const lease = '`leaseMs`?'
const ms = 'every duration is in milliseconds'

/** Unlocks a hold with an argument, which leaves it as it is. */
async function givenBack(client: RedissonClient, surplus: unknown): Promise<void> {
  await using hold = await client.getLock('held').acquire()
  try {
    let unlocking: unknown
    expect(() => (unlocking = call(hold, 'unlock', surplus))).not.toThrow()
    await unlocking
  } finally {
    expect(hold.isHeld).toBe(true)
  }
}

/** The calls of locks are in their contract. */
const calls: readonly Call[] = [
  [
    'a misspelt setting of a lock',
    (client) => call(client, 'getLock', 'a', { syncedReplica: 1 }),
    '`syncedReplicas`?',
  ],
  ['one of a fair lock', (client) => call(client, 'getFairLock', 'a', { syncedSlaves: 1 }), '`syncedSlaves`'],
  ['one of a fenced lock', (client) => call(client, 'getFencedLock', 'a', { ttl: 1 }), '`ttl`'],
  [
    'one of a read-write lock',
    (client) => call(client, 'getReadWriteLock', 'a', { prefers: 'writer' }),
    '`prefer`?',
  ],
  ['one of a spin lock', (client) => call(client, 'getSpinLock', 'a', { backOff: {} }), '`backoff`?'],
  [
    'one of a backoff',
    (client) => call(client, 'getSpinLock', 'a', { backoff: { type: 'constant', delay: 1 } }),
    '`delayMs`?',
  ],
  [
    'a delay of the other backoff',
    (client) => call(client, 'getSpinLock', 'a', { backoff: { type: 'exponential', delayMs: 1 } }),
    '`delayMs`',
  ],
  ['a thread by another name', (client) => client.runAsThread(nothing, { owner: 7 } as never), '`threadId`?'],
  [
    'a number for a semaphore',
    (client) => call(client, 'getSemaphore', 'a', {}, 5),
    'no further argument, got 5',
  ],
  ['a unit of a lock', (client) => call(client, 'getLock', 'a', {}, 'SECONDS'), ms],
  ['a third argument of a value lock', (client) => call(client, 'getMultiLock', 'a', ['v'], 10), ms],
  [
    'a lease with a unit and a token',
    (client) => call(client.getFencedLock('a'), 'lockAndGetToken', 10, 'SECONDS'),
    ms,
  ],
  [
    'a misspelt one',
    (client) => call(client.getFencedLock('a'), 'tryLockAndGetToken', { waitTime: 1 }),
    wait,
  ],
  ['a hold of a fenced lock', (client) => call(client.getFencedLock('a'), 'acquire', {}, 10), ms],
  ['a try for one', (client) => call(client.getFencedLock('a'), 'tryAcquire', { timeout: 10 }), wait],
  [
    'a function under it',
    (client) => call(client.getFencedLock('a'), 'withLock', nothing, { ttl: 10 }),
    lease,
  ],
  [
    'a forced unlock of one thread',
    (client) => call(client.getLock('a'), 'forceUnlock', { threadId: 1 }),
    'for any owner',
  ],

  [
    'a thread where any holder counts',
    (client) => call(client.getLock('a'), 'isLocked', 7),
    'isHeldByThread()',
  ],
  ['a thread that is another', (client) => call(client.getLock('a'), 'isHeldByCurrentThread', 7), 'isHeldBy'],
  ['the holds of a thread', (client) => call(client.getLock('a'), 'getHoldCount', 7), 'isHeldByThread()'],
  ['a unit of what remains', (client) => call(client.getLock('a'), 'remainTimeToLive', 'SECONDS'), ms],
  [
    'a lease of the side of a lock',
    (client) => call(client.getReadWriteLock('a'), 'readLock', 10_000),
    'it returns a lock',
  ],
  ['the same', (client) => call(client.getReadWriteLock('a'), 'writeLock', {}), 'it returns a lock'],
  ['a thread that unlocks a hold', (client) => givenBack(client, { threadId: 7 }), 'it ends this hold'],
  ['a time to unlock it', (client) => givenBack(client, 5), 'it ends this hold'],
  [
    'an id with which a hold of a permit is given back',
    async (client) => {
      await using hold = await client.getPermitExpirableSemaphore('a', { permits: 1 }).acquirePermit()
      try {
        await call(hold, 'release', hold.id)
      } finally {
        expect(hold.isHeld).toBe(true)
        await client.getPermitExpirableSemaphore('a').delete()
      }
    },
    'the permit of this hold',
  ],
  [
    'a number of permits to drain',
    (client) => call(client.getSemaphore('a'), 'drainPermits', 5),
    'all the permits',
  ],
  ['settings beside a URL', () => call(Redisson, 'create', 'redis://h', {}), 'singleServerConfig.address'],
  ['a lease of a red lock', (client) => call(Redisson, 'createRedLock', [client], 'a', {}, 10), ms],
  ['options of a listener', (client) => call(client, 'on', 'lockLost', nothing, { once: true }), 'once()'],
  ['the same, once', (client) => call(client, 'once', 'lockLost', nothing, {}), 'off()'],

  ['permits and a time to wait', (client) => call(client.getSemaphore('a'), 'acquire', 1, 100), ms],
  [
    'a time to wait where none is',
    (client) => call(client.getSemaphore('a'), 'acquire', { waitMs: 1 }),
    'tryAcquire() and withPermit()',
  ],
  ['a try with a timeout', (client) => call(client.getSemaphore('a'), 'tryAcquire', { timeout: 1 }), wait],
  [
    'options and a number',
    (client) => call(client.getSemaphore('a'), 'tryAcquire', { permits: 1 }, 100),
    'both numbers',
  ],
  ['a try with a unit', (client) => call(client.getSemaphore('a'), 'tryAcquire', 1, 1, 'SECONDS'), ms],
  [
    'permits by another name',
    (client) => call(client.getSemaphore('a'), 'withPermit', nothing, { permit: 1 }),
    '`permits`?',
  ],
  ['a lease of permits', (client) => call(client.getSemaphore('a'), 'trySetPermits', 1, 10, 'SECONDS'), ms],
  [
    'a release with an id',
    (client) => call(client.getSemaphore('a'), 'release', 1, id),
    'no further argument',
  ],

  [
    'a lease with a unit',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'acquire', 10, 'SECONDS'),
    ms,
  ],
  [
    'a wait with a unit',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'tryAcquire', 1, 10, 'SECONDS'),
    ms,
  ],
  [
    'a lease beside options',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'tryAcquire', { waitMs: 1 }, 10),
    'both numbers',
  ],
  [
    'several permits with a ttl',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'acquireMany', 2, { ttl: 1 }),
    lease,
  ],
  [
    'several permits with a time to wait',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'acquireMany', 2, { waitMs: 1 }),
    'begin with `try`',
  ],
  [
    'a try for several',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'tryAcquireMany', 2, { timeout: 1 }),
    wait,
  ],
  [
    'a permit to look after',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'acquirePermit', { waitMs: 1 }),
    'begin with `try`',
  ],
  [
    'a try for one to look after',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'tryAcquirePermit', { wait: 1 }),
    wait,
  ],
  [
    'a function with a permit',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'withPermit', nothing, { ttl: 1 }),
    lease,
  ],
  [
    'ids that are no list',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'release', id, id),
    'list',
  ],
  [
    'the same, tried',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'tryRelease', id, id),
    'list',
  ],
  [
    'a new lease with a unit',
    (client) => call(client.getPermitExpirableSemaphore('a'), 'updateLeaseTime', id, 10, 'SECONDS'),
    ms,
  ],

  ['a latch with a unit', (client) => call(client.getCountDownLatch('a'), 'await', 10, 'SECONDS'), ms],
  ['a latch with a timeout', (client) => call(client.getCountDownLatch('a'), 'await', { timeout: 10 }), wait],
  ['several at once', (client) => call(client.getCountDownLatch('a'), 'countDown', 2), 'by one'],

  [
    'an interval with a unit',
    (client) => call(client.getRateLimiter('a'), 'trySetRate', 'OVERALL', 1, 1, 0, 'SECONDS'),
    ms,
  ],
  [
    'a rate with a misspelt option',
    (client) => call(client.getRateLimiter('a'), 'setRate', 'OVERALL', 1, 1, { keepAlive: 1 }),
    '`keepAliveMs`?',
  ],
  [
    'an update with one',
    (client) => call(client.getRateLimiter('a'), 'updateRate', 'OVERALL', 1, 1, { keep: true }),
    '`keep`',
  ],
  ['a number and a time to wait', (client) => call(client.getRateLimiter('a'), 'acquire', 1, 100), ms],
  [
    'a time to wait for good',
    (client) => call(client.getRateLimiter('a'), 'acquire', { waitMs: 100 }),
    'tryAcquire()',
  ],
  [
    'a try that times out',
    (client) => call(client.getRateLimiter('a'), 'tryAcquire', { timeout: 100 }),
    wait,
  ],
  [
    'a try beside options',
    (client) => call(client.getRateLimiter('a'), 'tryAcquire', {}, 100),
    'both numbers',
  ],

  ['a misspelt time of runs', (client) => call(client, 'getOnce', 'a', { ttlMS: 1 }), '`ttlMs`?'],
  [
    'the time of a run',
    (client) => call(client.getOnce('a', { ttlMs: 1_000 }), 'run', nothing, { ttlMs: 1 }),
    'getOnce()',
  ],
  [
    'a run with a misspelt fire',
    (client) => call(client.getOnce('a', { ttlMs: 1_000 }), 'run', nothing, { fires: 1 }),
    '`fire`?',
  ],
  ['a misspelt lease of a leader', (client) => call(client, 'getLeaderElection', 'a', { ttl: 1 }), lease],
  ['a lease with a unit', (client) => call(client, 'getLeaderElection', 'a', {}, 'SECONDS'), ms],
  [
    'a lease of a candidate',
    (client) => call(client.getLeaderElection('a'), 'run', nothing, { leaseMs: 1 }),
    'getLeaderElection()',
  ],
  [
    'a candidate with a misspelt option',
    (client) => call(client.getLeaderElection('a'), 'run', nothing, { requeu: true }),
    '`requeue`?',
  ],
  ['a run with a number', (client) => call(client.getOnce('a', { ttlMs: 1_000 }), 'run', nothing, {}, 1), ms],
]

describe('what a call would ignore is refused', () => {
  noLeaks(single)

  let client: RedissonClient
  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterAll(() => client.shutdown())

  it.each(calls)('%s', async (_, ask, message) => {
    const error: unknown = await (async () => await ask(client))().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toMatch(/^Expected no /)
    expect((error as TypeError).message).toContain(message)
  })
})

describe('a lease that was probably meant in seconds', () => {
  noLeaks(single)

  const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  afterAll(() => {
    emitWarning.mockRestore()
  })

  it('warns once for the process, whatever the object and the call', async () => {
    await using client = await Redisson.create(single.options())
    const warned = () => emitWarning.mock.calls.splice(0).map(([message, options]) => [message, options])
    const inSeconds = client.getLock('lease-in-seconds')
    for (let each = 0; each < 2; each += 1) await inSeconds.tryLock(0, 10).catch(() => false) // it may be over before the answer comes
    await client.getLock('lease-of-an-hour').withLock(nothing, { leaseMs: 3_600_000 })
    expect(warned()).toEqual([
      [
        'The lease of lease-in-seconds is to last for 10 ms: leaseMs is in milliseconds.',
        { code: 'REDISSON_SHORT_LEASE' },
      ],
    ])
    const permits = client.getPermitExpirableSemaphore('permits-in-seconds')
    await permits.trySetPermits(1)
    const permit = await permits.acquire()
    await permits.updateLeaseTime(permit, 99)
    await permits.tryRelease(permit)
    await permits.delete()
    for (let id = 0; id < 20; id += 1)
      await client
        .getLock(`lease-of-${String(id)}`)
        .tryLock(0, 10)
        .catch(() => false)
    expect(warned()).toEqual([])
  })

  it('warns once as well of marks of runs', async () => {
    await using client = await Redisson.create(single.options())
    for (const name of ['run-in-seconds', 'another']) client.getOnce(name, { ttlMs: 60 })
    client.getOnce('run-of-a-minute', { ttlMs: 60_000 })
    expect(emitWarning.mock.calls.splice(0).map(([message, options]) => [message, options])).toEqual([
      [
        'The runs of run-in-seconds are to be remembered for 60 ms: ttlMs is in milliseconds.',
        { code: 'REDISSON_SHORT_LEASE' },
      ],
    ])
  })
})
