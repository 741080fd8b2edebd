import fc from 'fast-check'
import { Redisson, type RedissonClient, type RLock } from '../../src/index.js'
import { fields, given, oneOf, Planted, values, type Given } from './given.js'
import { hostile, hostileTexts, realSignals } from './hostile.js'

/** A method of the public face. */
export interface Method {
  /** What each argument may be, sound more often than not, so that calls go far. */
  readonly takes: readonly fc.Arbitrary<Given>[]
  /** Whether an answer makes sense. */
  readonly answers: (value: unknown) => boolean
  /** How it refuses: factories throw, everything else rejects. */
  readonly refuses: 'by throwing' | 'by rejecting'
}

/** Something that the library hands out. */
export interface Subject {
  readonly make: (client: RedissonClient, name: string) => object | Promise<object>
  readonly methods: Readonly<Record<string | symbol, Method>>
  /** Frees what calls may have taken, and shows that it is free. */
  readonly tidy?: (client: RedissonClient, name: string) => Promise<void>
}

function asked(answers: Method['answers'], ...takes: readonly fc.Arbitrary<Given>[]): Method {
  return { takes, answers, refuses: 'by rejecting' }
}

function factory(...takes: readonly fc.Arbitrary<Given>[]): Method {
  return { takes, answers: isObject, refuses: 'by throwing' }
}

const nothing = (value: unknown) => value === undefined
const anything = () => true
const truth = (value: unknown) => typeof value === 'boolean'
const number = (value: unknown) => Number.isInteger(value)
const text = (value: unknown) => typeof value === 'string' && value !== ''
const texts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(text)
const isObject = (value: unknown) => typeof value === 'object' && value !== null
const orNull = (answers: Method['answers']) => (value: unknown) => value === null || answers(value)

/** Sound more often than not. */
const mostly = (sound: fc.Arbitrary<Given>) =>
  fc.oneof({ weight: 3, arbitrary: sound }, { weight: 1, arbitrary: hostile })

const whole = (min: number, max: number) => fc.integer({ min, max }).map(given)

const waitMs = mostly(whole(-1, 30))
const leaseMs = mostly(whole(-1, 100))
const signal = mostly(realSignals)
const threadId = mostly(values(1, 2, 3n, '4', 'somebody:5'))
const permits = mostly(whole(0, 4))
/** Each of them gets an id of its own, so that a great many take long. */
const someIds = fc.oneof(whole(-1, 4), values(NaN, 0.5, -0, '1', 1n, null, {}))
const name = mostly(fc.oneof(values('a', 'b'), hostileTexts))
const listener = mostly(values(() => undefined))
const event = mostly(values('lockLost', 'connected', 'disconnected', 'reconnected'))

const fn = mostly(
  oneOf({
    'a function': () => () => 'done',
    'an asynchronous function': () => () => Promise.resolve('done'),
    'a function that throws': () => () => {
      throw new Planted('by fn')
    },
    'a function that answers a thenable which throws': () => () => ({
      then: () => {
        throw new Planted('by then')
      },
    }),
  }),
)

const lockOptions = mostly(fields({ leaseMs, signal, threadId }))
const tryLockOptions = mostly(fields({ waitMs, leaseMs, signal, threadId }))
const holdOptions = mostly(fields({ waitMs, leaseMs, signal }))
const permitOptions = mostly(fields({ permits, waitMs, signal }))
const settings = mostly(fields({ syncedReplicas: mostly(values(0)) }))

const several = {
  lock: asked(nothing, fc.oneof(leaseMs, lockOptions)),
  tryLock: asked(truth, fc.oneof(waitMs, tryLockOptions), leaseMs),
  acquire: asked(isObject, holdOptions),
  tryAcquire: asked(orNull(isObject), holdOptions),
  withLock: asked(anything, fn, holdOptions),
  unlock: asked(nothing, mostly(fields({ threadId }))),
  isHeldByCurrentThread: asked(truth),
  isHeldByThread: asked(truth, threadId),
}

const one = {
  ...several,
  forceUnlock: asked(truth),
  isLocked: asked(truth),
  getHoldCount: asked(number),
  remainTimeToLive: asked(number),
}

const handle = { [Symbol.asyncDispose]: asked(nothing) }

/** Members of groups are plain locks, which can be forced. */
function lockSubject(
  get: (client: RedissonClient, name: string) => RLock,
  methods: Subject['methods'] = one,
): Subject {
  const tidy = async (client: RedissonClient, at: string) => {
    const lock = get(client, at)
    await lock.forceUnlock()
    await takeAndGiveBack(lock)
  }
  return { make: get, methods, tidy }
}

async function takeAndGiveBack(lock: Pick<RLock, 'name' | 'tryAcquire'>): Promise<void> {
  const hold = await lock.tryAcquire({ waitMs: 1000 })
  if (hold === null) throw new Error(`Expected ${lock.name} to be free`)
  await hold.unlock()
}

const membersOf = (client: RedissonClient, at: string) =>
  ['1', '2', '3'].map((each) => client.getLock(`${at}${each}`))

const groupSubject = (kind: 'getMultiLock' | 'getRedLock'): Subject => ({
  make: (client, at) => client[kind](...membersOf(client, at)),
  methods: { ...several, ...groupRefusals() },
  tidy: async (client, at) => {
    await Promise.all(membersOf(client, at).map((member) => member.forceUnlock()))
    await takeAndGiveBack(client[kind](...membersOf(client, at)))
  },
})

/** A group has them because it is made as a lock is; the public face leaves them out. */
function groupRefusals(): Subject['methods'] {
  return {
    forceUnlock: asked(truth),
    isLocked: asked(truth),
    getHoldCount: asked(number),
    remainTimeToLive: asked(number),
  }
}

/** All that a program can hold in its hands, by what it is. */
export const subjects: Readonly<Record<string, Subject>> = {
  Redisson: {
    make: () => Redisson,
    methods: {
      create: asked(isObject, hostile),
      createRedLock: factory(mostly(fc.constant(given([]))), name, settings),
    },
  },
  client: {
    make: (client) => client,
    methods: {
      getLock: factory(name, settings),
      getFairLock: factory(name, settings),
      getReadWriteLock: factory(name, mostly(fields({ prefer: mostly(values('reader', 'writer')) }))),
      getFencedLock: factory(name, settings),
      getFencingGuard: factory(name),
      getSpinLock: factory(
        name,
        mostly(
          fields({
            backoff: mostly(
              fields({
                type: mostly(values('constant', 'exponential')),
                delayMs: leaseMs,
                initialDelayMs: leaseMs,
                maxDelayMs: leaseMs,
                multiplier: leaseMs,
              }),
            ),
          }),
        ),
      ),
      getNonReentrantLock: factory(name, settings),
      getNonReentrantFairLock: factory(name, settings),
      getMultiLock: factory(name, mostly(values(['a', 'b'], [Buffer.from('c')]))),
      getRedLock: factory(hostile, hostile),
      getSemaphore: factory(name),
      getPermitExpirableSemaphore: factory(name),
      getCountDownLatch: factory(name),
      getRateLimiter: factory(name),
      runAsThread: asked(anything, fn, mostly(fields({ threadId }))),
      on: factory(event, listener),
      off: factory(event, listener),
      shutdown: asked(nothing),
      [Symbol.asyncDispose]: asked(nothing),
    },
  },
  lock: lockSubject((client, at) => client.getLock(at)),
  fairLock: lockSubject((client, at) => client.getFairLock(at)),
  fencedLock: lockSubject((client, at) => client.getFencedLock(at), {
    ...one,
    lockAndGetToken: asked(number, fc.oneof(leaseMs, lockOptions)),
    tryLockAndGetToken: asked(orNull(number), fc.oneof(waitMs, tryLockOptions), leaseMs),
    getToken: asked(number),
  }),
  spinLock: lockSubject((client, at) => client.getSpinLock(at)),
  nonReentrantLock: lockSubject((client, at) => client.getNonReentrantLock(at)),
  nonReentrantFairLock: lockSubject((client, at) => client.getNonReentrantFairLock(at)),
  readLock: lockSubject((client, at) => client.getReadWriteLock(at).readLock()),
  writeLock: lockSubject((client, at) => client.getReadWriteLock(at).writeLock()),
  writerFirst: lockSubject((client, at) => client.getReadWriteLock(at, { prefer: 'writer' }).writeLock()),
  valueLock: lockSubject((client, at) => client.getMultiLock(at, ['a', 'b'])),
  readWriteLock: {
    make: (client, at) => client.getReadWriteLock(at),
    methods: { readLock: factory(), writeLock: factory() },
  },
  multiLock: groupSubject('getMultiLock'),
  redLock: groupSubject('getRedLock'),
  lockHold: {
    ...lockSubject((client, at) => client.getLock(at)),
    make: (client, at) => client.getLock(at).acquire({ leaseMs: 5000 }),
    methods: { unlock: asked(nothing), ...handle },
  },
  semaphore: {
    make: async (client, at) => {
      await client.getSemaphore(at).trySetPermits(3)
      return client.getSemaphore(at)
    },
    methods: {
      acquire: asked(nothing, fc.oneof(permits, permitOptions)),
      tryAcquire: asked(truth, fc.oneof(permits, permitOptions), waitMs),
      release: asked(nothing, permits),
      releaseIfExists: asked(truth, permits),
      trySetPermits: asked(truth, permits, leaseMs),
      addPermits: asked(nothing, permits),
      drainPermits: asked(number),
      availablePermits: asked(number),
      delete: asked(truth),
      withPermit: asked(anything, fn, permitOptions),
    },
    tidy: async (client, at) => {
      const semaphore = client.getSemaphore(at)
      await semaphore.delete()
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      await semaphore.delete()
    },
  },
  permitExpirableSemaphore: {
    make: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).trySetPermits(3)
      return client.getPermitExpirableSemaphore(at)
    },
    methods: {
      acquire: asked(text, fc.oneof(leaseMs, holdOptions)),
      acquireMany: asked(texts, someIds, holdOptions),
      acquirePermit: asked(isObject, holdOptions),
      tryAcquire: asked(orNull(text), fc.oneof(waitMs, holdOptions), leaseMs),
      tryAcquireMany: asked(orNull(texts), someIds, holdOptions),
      tryAcquirePermit: asked(orNull(isObject), holdOptions),
      withPermit: asked(anything, fn, holdOptions),
      release: asked(nothing, mostly(permitIds())),
      tryRelease: asked(truth, mostly(permitIds())),
      availablePermits: asked(number),
      acquiredPermits: asked(number),
      getPermits: asked(number),
      trySetPermits: asked(truth, permits),
      setPermits: asked(nothing, permits),
      addPermits: asked(nothing, permits),
      updateLeaseTime: asked(truth, mostly(permitIds()), leaseMs),
      getLeaseTime: asked(number, mostly(permitIds())),
      delete: asked(truth),
    },
    tidy: async (client, at) => {
      const semaphore = client.getPermitExpirableSemaphore(at)
      await semaphore.delete()
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      await semaphore.delete()
    },
  },
  permitHold: {
    make: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).trySetPermits(1)
      return client.getPermitExpirableSemaphore(at).acquirePermit({ leaseMs: 5000 })
    },
    methods: { release: asked(nothing), ...handle },
    tidy: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).delete()
    },
  },
  countDownLatch: {
    make: async (client, at) => {
      await client.getCountDownLatch(at).trySetCount(2)
      return client.getCountDownLatch(at)
    },
    methods: {
      await: asked(truth, fc.oneof(waitMs, mostly(fields({ waitMs, signal })))),
      countDown: asked(nothing),
      trySetCount: asked(truth, permits),
      getCount: asked(number),
      delete: asked(truth),
    },
    tidy: async (client, at) => {
      const latch = client.getCountDownLatch(at)
      await latch.delete()
      await latch.trySetCount(1)
      await latch.countDown()
    },
  },
  rateLimiter: {
    make: async (client, at) => {
      await client.getRateLimiter(at).trySetRate('OVERALL', 3, 20)
      return client.getRateLimiter(at)
    },
    methods: {
      acquire: asked(nothing, fc.oneof(permits, permitOptions)),
      tryAcquire: asked(truth, fc.oneof(permits, permitOptions), waitMs),
      attempt: asked(isObject, permits),
      release: asked(nothing, permits),
      availablePermits: asked(number),
      getConfig: asked(orNull(isObject)),
      setRate: asked(nothing, ...rate(), rateOptions()),
      updateRate: asked(truth, ...rate(), rateOptions()),
      trySetRate: asked(truth, ...rate(), leaseMs),
      delete: asked(truth),
    },
    tidy: async (client, at) => {
      const limiter = client.getRateLimiter(at)
      await limiter.delete()
      await limiter.trySetRate('OVERALL', 1, 1000)
      await limiter.acquire()
      await limiter.delete()
    },
  },
  fencingGuard: {
    make: (client, at) => client.getFencingGuard(at),
    methods: {
      accepts: asked(truth, mostly(whole(1, 9))),
      getLastToken: asked(number),
      run: asked(
        anything,
        mostly(whole(1, 9)),
        mostly(values('SET', 'INCR', 'GET', 'nonsense')),
        mostly(values('1', 2, Buffer.from('3'))),
      ),
    },
  },
}

function permitIds(): fc.Arbitrary<Given> {
  const id = '0123456789abcdef'.repeat(2)
  return values(id, [id], [id, id.toUpperCase()], [], id.slice(1))
}

function rate(): readonly fc.Arbitrary<Given>[] {
  return [mostly(values('OVERALL', 'PER_CLIENT')), mostly(whole(1, 5)), mostly(whole(1, 50))]
}

function rateOptions(): fc.Arbitrary<Given> {
  return mostly(fields({ keepAliveMs: leaseMs, keepState: mostly(values(true, false)) }))
}
