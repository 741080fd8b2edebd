import { describe, expectTypeOf, it } from 'vitest'
import { Redisson } from '../../src/index.js'
import type {
  AcquireOptions,
  AnyLock,
  LockHold,
  LockLostEvent,
  LockSettings,
  RedissonClient,
  RLock,
  RMultiLock,
  ThreadId,
  TryAcquireOptions,
  WithLockOptions,
} from '../../src/index.js'

declare const lock: RLock
declare const client: RedissonClient
declare const signal: AbortSignal

describe('lock()', () => {
  it('takes a lease in milliseconds, or options, or nothing', () => {
    expectTypeOf(lock.lock()).resolves.toBeVoid()
    expectTypeOf(lock.lock(1_000)).resolves.toBeVoid()
    expectTypeOf(lock.lock({})).resolves.toBeVoid()
    expectTypeOf(lock.lock({ leaseMs: 1_000, signal, threadId: 7n })).resolves.toBeVoid()
  })

  it('takes nothing else', () => {
    // @ts-expect-error: a lease is a number
    void lock.lock('1000')
    // @ts-expect-error: there are no two leases
    void lock.lock(1_000, 1_000)
    // @ts-expect-error: a misspelt option
    void lock.lock({ leaseMS: 1_000 })
    // @ts-expect-error: a lease is a number
    void lock.lock({ leaseMs: '1000' })
    void lock.lock({ leaseMs: undefined }) // as if it was left out
    // @ts-expect-error: a controller is not its signal
    void lock.lock({ signal: new AbortController() })
    // @ts-expect-error: options are not null
    void lock.lock(null)
    // @ts-expect-error: a thread is named by a number or a text
    void lock.lock({ threadId: Symbol('7') })
  })
})

describe('tryLock()', () => {
  it('takes a time to wait and a lease, or options, or nothing', () => {
    expectTypeOf(lock.tryLock()).resolves.toBeBoolean()
    expectTypeOf(lock.tryLock(100)).resolves.toBeBoolean()
    expectTypeOf(lock.tryLock(100, 1_000)).resolves.toBeBoolean()
    expectTypeOf(lock.tryLock({ waitMs: 1, leaseMs: 2, signal, threadId: 'client:7' })).resolves.toBeBoolean()
  })

  it('takes nothing else', () => {
    // @ts-expect-error: Java's third argument, the unit, is always milliseconds
    void lock.tryLock(1, 10, 'SECONDS')
    // @ts-expect-error: options take the place of both numbers
    void lock.tryLock({ waitMs: 1 }, 10)
    // @ts-expect-error: a time is a number
    void lock.tryLock('100')
    // @ts-expect-error: a misspelt option
    void lock.tryLock({ waitTime: 1 })
  })
})

describe('acquire() and tryAcquire()', () => {
  it('return a hold, or perhaps none', () => {
    expectTypeOf(lock.acquire()).resolves.toEqualTypeOf<LockHold>()
    expectTypeOf(lock.tryAcquire()).resolves.toEqualTypeOf<LockHold | undefined>()
    expectTypeOf(lock.acquire({ leaseMs: 1, signal })).resolves.toEqualTypeOf<LockHold>()
    expectTypeOf(lock.tryAcquire({ waitMs: 1, leaseMs: 1, signal })).resolves.toEqualTypeOf<
      LockHold | undefined
    >()
  })

  it('take no thread, because the hold is one of its own', () => {
    // @ts-expect-error: it is a thread of its own
    void lock.acquire({ threadId: 7 })
    // @ts-expect-error: it is a thread of its own
    void lock.tryAcquire({ threadId: 7 })
    // @ts-expect-error: there is no short form
    void lock.acquire(1_000)
    expectTypeOf<AcquireOptions>().not.toHaveProperty('threadId')
    expectTypeOf<TryAcquireOptions>().not.toHaveProperty('threadId')
  })

  it('return what `await using` takes', async () => {
    await using hold = await lock.acquire()
    await using perhaps = await lock.tryAcquire()
    expectTypeOf(hold.isHeld).toBeBoolean()
    expectTypeOf(perhaps).toEqualTypeOf<LockHold | undefined>()
  })
})

describe('a hold', () => {
  it('has its properties read-only', () => {
    expectTypeOf<LockHold>().toExtend<AsyncDisposable>()
    expectTypeOf<LockHold['name' | 'threadId' | 'owner']>().toBeString()
    expectTypeOf<LockHold['signal']>().toEqualTypeOf<AbortSignal>()
    expectTypeOf<LockHold['unlock']>().returns.resolves.toBeVoid()
    expectTypeOf<LockHold['extend']>().toBeCallableWith()
    expectTypeOf<LockHold['extend']>().toBeCallableWith(1_000)
    expectTypeOf<LockHold['extend']>().returns.resolves.toBeVoid()
    const rename = (hold: LockHold) => {
      // @ts-expect-error: it is read-only
      hold.name = 'another'
      // @ts-expect-error: it is read-only
      hold.isHeld = true
    }
    expectTypeOf(rename).toBeFunction()
  })
})

describe('withLock()', () => {
  it('returns the result of its function', () => {
    expectTypeOf(lock.withLock(() => 7)).resolves.toBeNumber()
    expectTypeOf(lock.withLock(async () => Promise.resolve('text'))).resolves.toBeString()
    expectTypeOf(lock.withLock((hold) => hold.threadId)).resolves.toBeString()
    expectTypeOf(lock.withLock(() => undefined, { waitMs: 1, leaseMs: 1, signal })).resolves.toBeUndefined()
  })

  it('takes a function first, and no thread', () => {
    // @ts-expect-error: the function comes first
    void lock.withLock({ waitMs: 1 }, () => 7)
    // @ts-expect-error: there has to be one
    void lock.withLock()
    // @ts-expect-error: it is a thread of its own
    void lock.withLock(() => 7, { threadId: 7 })
    expectTypeOf<WithLockOptions>().not.toHaveProperty('threadId')
  })
})

describe('the other questions', () => {
  it('have the answers of Redisson', () => {
    expectTypeOf(lock.unlock()).resolves.toBeVoid()
    expectTypeOf(lock.unlock({ threadId: 7 })).resolves.toBeVoid()
    expectTypeOf(lock.forceUnlock()).resolves.toBeBoolean()
    expectTypeOf(lock.isLocked()).resolves.toBeBoolean()
    expectTypeOf(lock.isHeldByCurrentThread()).resolves.toBeBoolean()
    expectTypeOf(lock.isHeldByThread('7')).resolves.toBeBoolean()
    expectTypeOf(lock.getHoldCount()).resolves.toBeNumber()
    expectTypeOf(lock.remainTimeToLive()).resolves.toBeNumber()
    expectTypeOf<ThreadId>().toEqualTypeOf<number | bigint | string>()
  })

  it('take what they need', () => {
    // @ts-expect-error: whose is missing
    void lock.isHeldByThread()
    // @ts-expect-error: a thread is an option here
    void lock.unlock(7)
    // @ts-expect-error: any owner
    void lock.forceUnlock({ threadId: 7 })
  })
})

describe('the client', () => {
  it('hands out locks by name', () => {
    expectTypeOf(client.getLock('name')).toEqualTypeOf<RLock>()
    expectTypeOf(client.getLock('name', { syncedReplicas: 1 })).toEqualTypeOf<RLock>()
    expectTypeOf<LockSettings['syncedReplicas']>().toEqualTypeOf<number | undefined>()
    // @ts-expect-error: by what name?
    client.getLock()
    // @ts-expect-error: a name is a text
    client.getLock(7)
    // @ts-expect-error: a misspelt setting
    client.getLock('name', { syncedReplica: 1 })
  })

  it('makes one lock of several, which may be so made themselves', () => {
    const multi = client.getMultiLock(client.getLock('a'), client.getFencedLock('b'))
    expectTypeOf(multi).toEqualTypeOf<RMultiLock>()
    expectTypeOf(client.getMultiLock(multi, client.getRedLock(multi, lock))).toEqualTypeOf<RMultiLock>()
    expectTypeOf(client.getMultiLock('group', ['a', 'b'])).toEqualTypeOf<RLock>()
    expectTypeOf(Redisson.createRedLock([client], 'a')).toEqualTypeOf<RMultiLock>()
    expectTypeOf(Redisson.createRedLock([client], ['a', 'b'] as const)).toEqualTypeOf<RMultiLock>()
    expectTypeOf<RMultiLock>().toExtend<AnyLock>()
    expectTypeOf<RLock>().toExtend<AnyLock>()
    // @ts-expect-error: a name is no lock
    client.getRedLock('a')
    // @ts-expect-error: names are texts
    Redisson.createRedLock([client], [7])
  })

  it('runs functions as threads', () => {
    expectTypeOf(client.runAsThread(() => 7)).resolves.toBeNumber()
    expectTypeOf(
      client.runAsThread(async () => Promise.resolve('text'), { threadId: 7 }),
    ).resolves.toBeString()
    // @ts-expect-error: the id is an option
    void client.runAsThread(() => 7, 7)
  })

  it('tells of events by their names', () => {
    client.on('lockLost', (event) => {
      expectTypeOf(event).toEqualTypeOf<LockLostEvent>()
      expectTypeOf(event.reason).toEqualTypeOf<'not-held' | 'expired' | 'forced' | 'closed'>()
    })
    // @ts-expect-error: there is no such event
    client.on('unlocked', () => undefined)
    // @ts-expect-error: connections have no lock
    client.on('connected', (event: LockLostEvent) => event)
  })

  it('is disposed of by `await using`', () => {
    expectTypeOf<RedissonClient>().toExtend<AsyncDisposable>()
  })
})
