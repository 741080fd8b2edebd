import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ConnectionLostError,
  LockTimeoutError,
  Redisson,
  type AcquireTrace,
  type RedissonClient,
  type RequestTrace,
} from '../../../src/index.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { uncaughtExceptions } from '../../support/uncaught-exceptions.js'

const CHANNEL = 'ioredisson:acquire'
const WHOLE = ['start', 'end', 'asyncStart', 'asyncEnd']

type GiveBack = () => Promise<unknown>

interface Patience {
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

interface Kind {
  readonly what: string
  readonly kind: string
  /** Its name in traces, where that is not the name that the program gave. */
  readonly nameOf?: (name: string) => string
  /** How many requests acquire it where it is free; one, where not said. */
  readonly attempts?: number
  /** Acquires it; undefined where it was not free in time. */
  readonly take: (client: RedissonClient, name: string, patience: Patience) => Promise<GiveBack | undefined>
  /** Has others wait for it; by taking it, where not said. */
  readonly occupy?: (client: RedissonClient, name: string) => Promise<GiveBack>
  /** Prepares it. */
  readonly prepare?: (client: RedissonClient, name: string) => Promise<unknown>
  readonly remove?: (client: RedissonClient, name: string) => Promise<unknown>
}

interface Taking {
  tryAcquire(patience: Patience): Promise<{ unlock(): Promise<unknown> } | undefined>
}

function ofLock(lockOf: (client: RedissonClient, name: string) => Taking): Pick<Kind, 'take'> {
  return {
    take: async (client, name, patience) => {
      const hold = await lockOf(client, name).tryAcquire(patience)
      return hold && (() => hold.unlock())
    },
  }
}

const parts = (name: string) => [`${name}-1`, `${name}-2`, `${name}-3`]
const partsOf = (client: RedissonClient, name: string) => parts(name).map((part) => client.getLock(part))
const given = () => Promise.resolve()

const kinds: readonly Kind[] = [
  { what: 'a lock', kind: 'lock', ...ofLock((client, name) => client.getLock(name)) },
  { what: 'a fair lock', kind: 'lock', ...ofLock((client, name) => client.getFairLock(name)) },
  { what: 'a fenced lock', kind: 'lock', ...ofLock((client, name) => client.getFencedLock(name)) },
  { what: 'a spin lock', kind: 'lock', ...ofLock((client, name) => client.getSpinLock(name)) },
  {
    what: 'a non-reentrant lock',
    kind: 'lock',
    ...ofLock((client, name) => client.getNonReentrantLock(name)),
  },
  {
    what: 'a read lock',
    kind: 'read-lock',
    ...ofLock((client, name) => client.getReadWriteLock(name).readLock()),
    occupy: async (client, name) => {
      const hold = await client.getReadWriteLock(name).writeLock().acquire()
      return () => hold.unlock()
    },
  },
  {
    what: 'a write lock',
    kind: 'lock',
    ...ofLock((client, name) => client.getReadWriteLock(name).writeLock()),
  },
  {
    what: 'a write lock that readers let go first',
    kind: 'lock',
    ...ofLock((client, name) => client.getReadWriteLock(name, { prefer: 'writer' }).writeLock()),
  },
  {
    what: 'values of a group',
    kind: 'value-group',
    ...ofLock((client, name) => client.getMultiLock(name, ['hunter2', 'two'])),
  },
  {
    what: 'a multi-lock',
    kind: 'multi-lock',
    nameOf: (name) => parts(name).join(','),
    attempts: 3,
    ...ofLock((client, name) => client.getMultiLock(...partsOf(client, name))),
  },
  {
    what: 'a red lock',
    kind: 'red-lock',
    nameOf: (name) => parts(name).join(','),
    attempts: 3,
    ...ofLock((client, name) => client.getRedLock(...partsOf(client, name))),
  },
  {
    what: 'permits of a semaphore',
    kind: 'permit',
    prepare: (client, name) => client.getSemaphore(name).trySetPermits(1),
    take: async (client, name, patience) => {
      const semaphore = client.getSemaphore(name)
      return (await semaphore.tryAcquire(patience)) ? () => semaphore.release() : undefined
    },
    remove: (client, name) => client.getSemaphore(name).delete(),
  },
  {
    what: 'a permit that expires',
    kind: 'permit',
    prepare: (client, name) => client.getPermitExpirableSemaphore(name).trySetPermits(1),
    take: async (client, name, patience) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      const id = await semaphore.tryAcquire(patience)
      return id === undefined ? undefined : () => semaphore.release(id)
    },
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
  },
  {
    what: 'a permit that is renewed',
    kind: 'permit',
    prepare: (client, name) => client.getPermitExpirableSemaphore(name).trySetPermits(1),
    take: async (client, name, patience) => {
      const permit = await client.getPermitExpirableSemaphore(name).tryAcquirePermit(patience)
      return permit && (() => permit.release())
    },
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
  },
  {
    what: 'permits of a rate limiter',
    kind: 'rate',
    prepare: (client, name) => client.getRateLimiter(name).trySetRate('OVERALL', 1, 60_000),
    take: async (client, name, patience) =>
      (await client.getRateLimiter(name).tryAcquire(patience)) ? given : undefined,
    remove: (client, name) => client.getRateLimiter(name).delete(),
  },
  {
    what: 'a latch',
    kind: 'latch',
    take: async (client, name, patience) =>
      (await client.getCountDownLatch(name).await(patience)) ? given : undefined,
    occupy: async (client, name) => {
      const latch = client.getCountDownLatch(name)
      await latch.trySetCount(1)
      return () => latch.delete()
    },
  },
]

describe('the channel of acquisitions', () => {
  let client: RedissonClient
  let other: RedissonClient
  let names = 0

  noLeaks(single, { except: /^redisson_lock_token:/ })

  beforeEach(async () => {
    ;[client, other] = await Promise.all([
      Redisson.create({ ...single.options(), lockWatchdogTimeout: 120_000 }), // a red lock waits for a share of it
      Redisson.create(single.options()),
    ])
  })

  afterEach(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
  })

  const nextName = () => `acquired-${String(names++)}`

  describe.each(kinds)('of $what', ({ kind, nameOf, attempts = 1, take, occupy, prepare, remove }) => {
    let name: string
    let facts: Pick<AcquireTrace, 'kind' | 'name'>

    beforeEach(async () => {
      name = nextName()
      facts = { kind, name: nameOf?.(name) ?? name }
      await prepare?.(other, name)
    })

    afterEach(async () => {
      await remove?.(other, name)
    })

    const occupied = async (): Promise<GiveBack> => {
      const giveBack = await (occupy?.(other, name) ?? take(other, name, {}))
      return giveBack as GiveBack
    }

    it('tells when it is asked for and when it is acquired', async () => {
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      const taking = take(client, name, { waitMs: 5000 })
      expect(events.names).toEqual(['start', 'end'])
      expect(events.last).toEqual({ ...facts, attempts: 0, waitedMs: 0, outcome: undefined })
      const giveBack = await taking
      expect(events.names).toEqual(WHOLE)
      expect(events.last).toEqual({
        ...facts,
        attempts,
        waitedMs: expect.any(Number) as number,
        outcome: 'acquired',
      })
      expect(events.last?.waitedMs).toBeGreaterThan(0)
      await giveBack?.()
      expect(events.names).toEqual(WHOLE)
    })

    it('tells that it was not free in time, without an error', async () => {
      const giveBack = await occupied()
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      expect(await take(client, name, { waitMs: 300 })).toBeUndefined()
      expect(events.names).toEqual(WHOLE)
      expect(events.last).toMatchObject({ ...facts, outcome: 'refused' })
      expect(events.last?.attempts).toBeGreaterThan(0)
      expect(events.last?.waitedMs).toBeGreaterThanOrEqual(39)
      await giveBack()
    })

    it('tells that its caller has given up, and not why', async () => {
      const giveBack = await occupied()
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      const caller = new AbortController()
      const reason = new Error('hunter2')
      const taking = take(client, name, { waitMs: 60_000, signal: caller.signal })
      const thrown = expect(taking).rejects.toBe(reason)
      await sleep(40)
      caller.abort(reason)
      await thrown
      expect(events.names).toEqual(WHOLE)
      expect(events.last).toMatchObject({ ...facts, outcome: 'aborted' })
      expect(events.last).not.toHaveProperty('error')
      await giveBack()
    })

    it('tells of a caller that has given up before it asked', async () => {
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      const reason = new Error('hunter2')
      await expect(take(client, name, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect(events.names).toEqual(WHOLE)
      expect(events.last).toMatchObject({ ...facts, attempts: 0, outcome: 'aborted' })
    })

    it('has neither owner nor argument nor result', async () => {
      const giveBack = await occupied()
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      const taking = take(client, name, { waitMs: 1 }).catch(() => undefined)
      expect(await taking).toBeUndefined()
      await giveBack()
      const took = take(client, name, {}).catch(() => undefined)
      await (
        await took
      )?.()
      const text = inspect(events.all, { depth: Infinity, showHidden: true })
      for (const secret of ['hunter2', client.id, other.id]) expect(text).not.toContain(secret)
      const known = ['kind', 'name', 'attempts', 'waitedMs', 'outcome', 'error']
      for (const [, trace] of events.all) expect(known).toEqual(expect.arrayContaining(Object.keys(trace)))
    })
  })

  it('reports a call for no permits, for which no request is made', async () => {
    const semaphore = client.getSemaphore(nextName())
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    expect(await semaphore.tryAcquire(0)).toBe(true)
    await semaphore.acquire({ permits: 0 })
    expect(events.names).toEqual([...WHOLE, ...WHOLE])
    expect(events.last).toMatchObject({ kind: 'permit', attempts: 0, outcome: 'acquired' })
  })

  it('counts a request although no server could be asked by it', async () => {
    const door = await proxied(single)
    const settings = door.options({ timeout: 100, retryAttempts: 0 })
    const cut = await Redisson.create({ ...settings, connectWaitMs: 20_000 })
    await door.stop()
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const tryOnce = () =>
      cut
        .getLock(nextName())
        .tryLock()
        .catch((error: unknown) => error)
    // The first of them may still find the connection that was cut.
    await eventually(async () => !((await tryOnce()) as ConnectionLostError).mayHaveRun)
    expect(events.last).toMatchObject({ attempts: 1, outcome: 'failed' })
    await cut.shutdown()
  })

  it('counts the requests that a waiter has sent', { tags: ['timed'] }, async () => {
    const lock = client.getSpinLock(nextName(), { backoff: { type: 'constant', delayMs: 5 } })
    const theirs = await other.getLock(lock.name).acquire()
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const mine = lock.acquire()
    await sleep(60)
    await theirs.unlock()
    await (await mine).unlock()
    expect(events.last).toMatchObject({ outcome: 'acquired' })
    expect(events.last?.attempts).toBeGreaterThan(2)
    expect(events.last?.waitedMs).toBeGreaterThanOrEqual(59)
  })

  it('counts no request for a caller whose turn did not come', async () => {
    const lock = client.getLock(nextName())
    const theirs = await other.getLock(lock.name).acquire()
    using requests = new ChannelEvents<RequestTrace>('ioredisson:request')
    const first = lock.acquire()
    await eventually(() => requests.names.includes('asyncEnd'))
    await sleep(1) // the refusal puts it into the queue
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    expect(await lock.tryAcquire({ waitMs: 300 })).toBeUndefined()
    expect(events.last).toMatchObject({ attempts: 0, outcome: 'refused' })
    await theirs.unlock()
    await (await first).unlock()
  })

  it('counts a request for each of the callers that it asks for', async () => {
    const latch = client.getCountDownLatch(nextName())
    await latch.trySetCount(1)
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const waiting = [latch.await(), latch.await()]
    await sleep(50)
    await latch.countDown()
    expect(await Promise.all(waiting)).toEqual([true, true])
    const ends = events.all.filter(([event]) => event === 'asyncEnd').map(([, trace]) => trace)
    expect(ends).toHaveLength(2)
    for (const end of ends) expect(end.attempts).toBeGreaterThan(1)
  })

  it('reports a call of each form of a lock, and a thread that enters once more', async () => {
    const lock = client.getLock(nextName())
    const fenced = client.getFencedLock(nextName())
    const calls: (() => Promise<unknown>)[] = [
      () => lock.lock(),
      () => lock.tryLock({ threadId: 7 }),
      () => lock.acquire({ waitMs: 0 }),
      () => lock.withLock(() => lock.withLock(() => undefined)),
      () => fenced.lockAndGetToken(),
      () => client.runAsThread(() => fenced.tryLockAndGetToken()),
    ]
    const outcomes: unknown[] = []
    for (const call of calls) {
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      await elsewhere(() => call().catch(() => undefined))
      outcomes.push(
        events.all
          .filter(([event]) => event === 'asyncEnd')
          .map(([, { attempts, outcome }]) => `${String(outcome)} ${String(attempts)}`),
      )
      await Promise.all([lock.forceUnlock(), fenced.forceUnlock()])
    }
    expect(outcomes).toEqual([
      ['acquired 1'],
      ['acquired 1'],
      ['acquired 1'],
      ['acquired 1', 'acquired 1'],
      ['acquired 1'],
      ['acquired 1'],
    ])
  })

  it('ends where the lock is held, whatever its function does', async () => {
    const lock = client.getLock(nextName())
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const failure = new LockTimeoutError('another', 5)
    const run = lock.withLock(async () => {
      expect(events.names).toEqual(WHOLE)
      await Promise.resolve()
      throw failure
    })
    await expect(run).rejects.toBe(failure)
    expect(events.names).toEqual(WHOLE)
    expect(events.last).toMatchObject({ outcome: 'acquired' })
  })

  it('covers what a scope waits for another one of its thread', async () => {
    const lock = client.getLock(nextName())
    await lock.withLock(async () => {
      const inside = lock.withLock(() => sleep(80))
      using events = new ChannelEvents<AcquireTrace>(CHANNEL)
      await expect(lock.withLock(() => undefined, { waitMs: 30 })).rejects.toThrow(LockTimeoutError)
      const ended = events.all.filter(([event, { outcome }]) => event === 'asyncEnd' && outcome === 'refused')
      expect(ended).toHaveLength(1)
      expect(ended[0]?.[1].attempts).toBe(0)
      expect(ended[0]?.[1].waitedMs).toBeGreaterThanOrEqual(29)
      await inside
    })
  })

  it('does not report the members of a group, also not in a group of groups', async () => {
    const [one, two, three] = [nextName(), nextName(), nextName()].map((name) => client.getLock(name))
    if (one === undefined || two === undefined || three === undefined) throw new Error('no locks')
    const group = client.getRedLock(client.getMultiLock(one, two), three)
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const hold = await group.acquire()
    await sleep(20)
    expect(events.names).toEqual(WHOLE)
    expect(events.last?.kind).toBe('red-lock')
    expect(events.last?.name.split(',').sort()).toEqual([one.name, two.name, three.name].sort())
    await hold.unlock()
  })

  it('reports each of the attempts of a rate limiter', async () => {
    const limiter = client.getRateLimiter(nextName())
    await limiter.setRate('OVERALL', 1, 60_000)
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    expect(await limiter.attempt()).toMatchObject({ allowed: true })
    expect(events.last).toMatchObject({ kind: 'rate', attempts: 1, outcome: 'acquired' })
    expect(await limiter.attempt()).toMatchObject({ allowed: false })
    expect(events.last).toMatchObject({ kind: 'rate', attempts: 1, outcome: 'refused' })
    await limiter.delete()
  })

  it('reports that a function of a work limiter was refused, although its call throws', async () => {
    const limiter = client.getWorkLimiter(nextName(), { concurrency: 1 })
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    await limiter.run(async () => {
      await expect(limiter.run(() => 1, { waitMs: 0 })).rejects.toMatchObject({ code: 'WORK_TIMEOUT' })
      expect(events.last).toMatchObject({ kind: 'work', outcome: 'refused' })
    })
  })

  it('reports an election and a computed value as the lock that they use', async () => {
    const map = client.getMap<string, number>(nextName())
    const election = client.getLeaderElection(nextName())
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    await map.computeIfAbsent('secret', () => 5)
    await election.run(() => undefined, { requeue: false })
    const ends = events.all.filter(([event]) => event === 'asyncEnd').map(([, trace]) => trace)
    expect(ends).toMatchObject([
      { kind: 'lock', outcome: 'acquired' },
      { kind: 'lock', outcome: 'acquired' },
    ])
    await map.delete()
  })

  it('has names as they are in Redis', async () => {
    const mapped = await Redisson.create({ ...single.options(), nameMapper: (name) => `shop:${name}` })
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const lock = mapped.getLock('mapped')
    const hold = await mapped.getMultiLock(lock, mapped.getLock('mapped-too')).acquire()
    await hold.unlock()
    expect(events.last?.name).toBe('shop:mapped,shop:mapped-too')
    await mapped.shutdown()
  })

  it('reports no call that began without a subscriber, and ends none for those that have left', async () => {
    const name = nextName()
    const theirs = await other.getLock(name).acquire()
    const before = client.getLock(name).acquire()
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const meanwhile = client.getLock(name).acquire()
    const left = new ChannelEvents<AcquireTrace>(CHANNEL)
    left[Symbol.dispose]()
    await theirs.unlock()
    const hold = await before
    expect(events.names).toEqual(['start', 'end'])
    await hold.unlock()
    await (await meanwhile).unlock()
    expect(events.names).toEqual(WHOLE)
    expect(left.all).toEqual([])
  })

  it('is heard in the context of the caller', async () => {
    const flow = new AsyncLocalStorage<string>()
    const heard: unknown[] = []
    const hear = () => heard.push(flow.getStore())
    const subscribers = { start: hear, asyncEnd: hear }
    const channel = tracingChannel(CHANNEL)
    channel.subscribe(subscribers as never)
    try {
      const lock = client.getLock(nextName())
      const semaphore = client.getSemaphore(nextName(), { permits: 1 })
      await flow.run('mine', async () => {
        await lock.lock()
        await lock.unlock()
        await lock.withLock(() => undefined)
        await semaphore.acquire()
        await semaphore.delete()
      })
      expect(heard).toEqual(Array(6).fill('mine'))
    } finally {
      channel.unsubscribe(subscribers as never)
    }
  })

  it('disturbs no call when a subscriber throws or has a store bound', async () => {
    const failure = new Error('of a subscriber')
    const uncaught = uncaughtExceptions(4)
    const fail = () => {
      throw failure
    }
    const subscribers = { start: fail, asyncEnd: fail }
    const channel = tracingChannel(CHANNEL)
    const store = new AsyncLocalStorage<unknown>()
    channel.subscribe(subscribers as never)
    channel.start.bindStore(store, (trace) => trace)
    try {
      const lock = client.getLock(nextName())
      await elsewhere(async () => {
        await lock.lock()
        expect(await lock.isHeldByCurrentThread()).toBe(true)
        await lock.unlock()
      })
      const theirs = await other.getLock(lock.name).acquire({ leaseMs: 60_000 })
      expect(await uncaught).toEqual(Array(4).fill(failure))
      channel.unsubscribe(subscribers as never)
      expect(await lock.tryLock({ waitMs: 300 })).toBe(false)
      await theirs.unlock()
    } finally {
      channel.unsubscribe(subscribers as never)
      channel.start.unbindStore(store)
    }
  })

  it('tells of a client that was shut down, by the kind of error', async () => {
    const name = nextName()
    const theirs = await other.getLock(name).acquire()
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    const mine = client.getLock(name).acquire()
    const rejected = expect(mine).rejects.toMatchObject({ code: 'CLOSED' })
    await sleep(20)
    await client.shutdown()
    await rejected
    expect(events.names).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
    expect(events.last).toMatchObject({
      outcome: 'failed',
      error: { name: 'ClientClosedError', code: 'CLOSED' },
    })
    await theirs.unlock()
  })
})

describe('the channel of acquisitions, where the connection is lost', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  /** Of which no request is lost because the machine is slow. */
  let patient: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    const settings = { timeout: 400, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 1 }
    client = await Redisson.create({ ...door.options(settings), connectWaitMs: 20_000 })
    patient = await Redisson.create(door.options({ retryDelay: 20, reconnectionDelay: 10 }))
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), patient.shutdown()])
    await door.stop()
    await single.nodes[0].command('FLUSHALL')
  })

  it('counts a request once whose reply was lost', async () => {
    const name = `acquired-lost-${String(names++)}`
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    using requests = new ChannelEvents<RequestTrace>('ioredisson:request')
    door.proxies[0]?.loseReplyTo(name)
    const hold = await patient.getLock(name).acquire()
    expect(events.last).toMatchObject({ attempts: 1, outcome: 'acquired' })
    expect(requests.last).toMatchObject({ name: 'lock/acquire', attempts: 2 })
    await hold.unlock()
  })

  it.each(kinds)('tells that $what could not be acquired', async ({ kind, take, prepare }) => {
    const [proxy] = door.proxies
    const name = `acquired-lost-${String(names++)}`
    await prepare?.(patient, name)
    using events = new ChannelEvents<AcquireTrace>(CHANNEL)
    proxy?.stall()
    const error: unknown = await take(client, name, { waitMs: 60_000 }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    await proxy?.heal()
    expect(error).toBeInstanceOf(Error)
    expect(events.names).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
    const { name: errorName, code } = error as Error & { readonly code: string }
    expect(events.last).toMatchObject({ kind, outcome: 'failed', error: { name: errorName, code } })
    expect(events.last?.error?.message).toBe('The acquisition has failed')
    expect(events.last?.attempts).toBeGreaterThan(0)
    await eventually(async () => (await client.getBucket('acquired-ready').get()) === undefined)
  })
})
