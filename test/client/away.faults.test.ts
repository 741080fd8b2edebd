import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../src/index.js'
import { mastersOf } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import { addressOf } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { cluster, single } from '../support/topologies.js'

/** Longer than any test: what is bounded by nothing else makes its test hang. */
const TOO_LONG_MS = 600_000

/** How long a reply of a server that is there may take on a busy machine. */
const WAIT_MS = 400

/** Less than a round trip may take, which does not matter where no reply comes. */
const BRIEFLY_MS = 20

const SETTINGS = {
  timeout: TOO_LONG_MS,
  retryDelay: 50,
  retryAttempts: 1_000_000,
  reconnectionDelay: 20,
  subscriptionTimeout: TOO_LONG_MS,
}

interface Patience {
  readonly waitMs: number
}

const NOT_SENT = { code: 'CONNECTION_LOST', mayHaveRun: false }
const SENT = { code: 'REPLY_TIMEOUT', mayHaveRun: true }
const TOO_FEW = { code: 'NO_QUORUM', mayHaveRun: false }
const TOO_FEW_REPLIES = { code: 'NO_QUORUM', mayHaveRun: true }

/** A call that waits, and the same of another client that gets what the call may have got. */
interface Kind {
  readonly what: string
  readonly call: (client: RedissonClient, name: string, patience: Patience) => Promise<unknown>
  /** Whether everything that the call may have got has been given back. */
  readonly isFree?: (client: RedissonClient, name: string) => Promise<boolean>
  readonly prepare?: (client: RedissonClient, name: string) => Promise<unknown>
  /** How it rejects when nothing was sent, and when there is no reply; as a single request, where not said. */
  readonly notSent?: object
  readonly sent?: object
}

const locks: readonly Kind[] = [
  ['a lock', (client: RedissonClient, name: string) => client.getLock(name)] as const,
  ['a fair lock', (client: RedissonClient, name: string) => client.getFairLock(name)] as const,
  ['a spin lock', (client: RedissonClient, name: string) => client.getSpinLock(name)] as const,
  ['a fenced lock', (client: RedissonClient, name: string) => client.getFencedLock(name)] as const,
  [
    'a non-reentrant lock',
    (client: RedissonClient, name: string) => client.getNonReentrantLock(name),
  ] as const,
  [
    'a read lock',
    (client: RedissonClient, name: string) => client.getReadWriteLock(name).readLock(),
  ] as const,
  [
    'a write lock',
    (client: RedissonClient, name: string) => client.getReadWriteLock(name).writeLock(),
  ] as const,
  [
    'a lock of values',
    (client: RedissonClient, name: string) => client.getMultiLock(name, ['a', 'b']),
  ] as const,
].map(([what, lockOf]) => ({
  what,
  call: (client, name, patience) => lockOf(client, name).tryAcquire(patience),
  isFree: async (client, name) => !(await lockOf(client, name).isLocked()),
}))

/** A second lock of one name has no order after the first, and is tried once. */
const groups: readonly Kind[] = [
  ['a multi-lock', (client: RedissonClient, ...locks: RLock[]) => client.getMultiLock(...locks)] as const,
  ['a red lock', (client: RedissonClient, ...locks: RLock[]) => client.getRedLock(...locks)] as const,
].map(([what, groupOf]) => ({
  what,
  call: (client, name, patience) =>
    groupOf(client, client.getMultiLock(name, ['a']), client.getMultiLock(name, ['b'])).tryAcquire({
      ...patience,
      leaseMs: TOO_LONG_MS,
    }),
  isFree: async (client, name) => !(await client.getMultiLock(name, ['a', 'b']).isLocked()),
  ...(what === 'a red lock' && { notSent: TOO_FEW, sent: TOO_FEW_REPLIES }),
}))

const synchronizers: readonly Kind[] = [
  {
    what: 'a semaphore',
    prepare: (client, name) => client.getSemaphore(name).trySetPermits(3),
    call: (client, name, patience) => client.getSemaphore(name).tryAcquire({ ...patience, permits: 2 }),
    isFree: async (client, name) => (await client.getSemaphore(name).availablePermits()) === 3,
  },
  {
    what: 'an expirable semaphore',
    prepare: (client, name) => client.getPermitExpirableSemaphore(name).trySetPermits(3),
    call: (client, name, patience) => client.getPermitExpirableSemaphore(name).tryAcquire(patience),
    isFree: async (client, name) => (await client.getPermitExpirableSemaphore(name).availablePermits()) === 3,
  },
  {
    what: 'a rate limiter',
    prepare: (client, name) => client.getRateLimiter(name).trySetRate('OVERALL', 3, 600_000),
    call: (client, name, patience) => client.getRateLimiter(name).tryAcquire({ ...patience, permits: 2 }),
    isFree: async (client, name) => (await client.getRateLimiter(name).availablePermits()) === 3,
  },
  {
    what: 'a latch',
    prepare: (client, name) => client.getCountDownLatch(name).trySetCount(1),
    call: (client, name, { waitMs }) => client.getCountDownLatch(name).await(waitMs),
  },
]

const polls: readonly Kind[] = [
  {
    what: 'a poll of a scored sorted set',
    call: (client, name, patience) => client.getScoredSortedSet<string>(name).pollFirst(patience),
  },
  {
    what: 'a poll of a sorted set',
    call: (client, name, patience) => client.getSortedSet(name).pollFirst(patience),
  },
]

const kinds: readonly Kind[] = [...locks, ...groups, ...synchronizers, ...polls]

describe.each([single, cluster])('calls with a time to wait, while a $kind is away', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    straight = await Redisson.create(topology.options({}))
  })

  const each = (act: (proxy: (typeof door.proxies)[number]) => unknown) => Promise.all(door.proxies.map(act))

  const prepared = async (kind: Kind) => {
    const name = `away-${String((names += 1))}`
    client = await Redisson.create(door.options(SETTINGS))
    await kind.prepare?.(straight, name)
    await kind.call(client, `warm-${name}`, { waitMs: 0 }).catch(() => undefined) // the scripts are known then
    await client.ping() // there is a connection to each master then
    return name
  }

  /** Resolves when the client has noticed that its connections to all masters are gone. */
  const cutOff = async (): Promise<void> => {
    const masters = topology.kind === 'cluster' ? await mastersOf(topology) : topology.nodes
    const left = new Set(masters.map((master) => addressOf(door.proxyOf(master))))
    const { promise, resolve } = Promise.withResolvers<void>()
    client.on('disconnected', ({ address, purpose }) => {
      if (purpose === 'commands') left.delete(address)
      if (left.size === 0) resolve()
    })
    await each((proxy) => {
      proxy.cut()
    })
    await promise
  }

  const settled = async (kind: Kind, name: string) => {
    await each((proxy) => proxy.heal())
    if (kind.isFree !== undefined)
      await eventually(async () => (await kind.isFree?.(straight, name)) === true)
  }

  afterEach(async () => {
    await each((proxy) => proxy.heal())
    await client.shutdown()
    await straight.getKeys().deleteByPattern('*away-*')
  })

  afterAll(async () => {
    await Promise.all([straight.shutdown(), door.stop()])
  })

  it.each(kinds)('$what rejects at its time when no server can be reached', async (kind) => {
    const name = await prepared(kind)
    await each((proxy) => {
      proxy.refuse()
    })
    await cutOff()
    await expect(kind.call(client, name, { waitMs: WAIT_MS })).rejects.toMatchObject(kind.notSent ?? NOT_SENT)
    await settled(kind, name)
  })

  it.each([...locks, ...groups, ...synchronizers])(
    '$what rejects at once when no server can be reached and it does not wait',
    async (kind) => {
      const name = await prepared(kind)
      await each((proxy) => {
        proxy.refuse()
      })
      await cutOff()
      await expect(kind.call(client, name, { waitMs: 0 })).rejects.toMatchObject(kind.notSent ?? NOT_SENT)
      await settled(kind, name)
    },
  )

  it.each(kinds)(
    '$what rejects at its time when a server accepts connections and is silent',
    async (kind) => {
      const name = await prepared(kind)
      await each((proxy) => {
        proxy.stall()
      })
      await cutOff()
      await expect(kind.call(client, name, { waitMs: WAIT_MS })).rejects.toMatchObject({ mayHaveRun: false })
      await settled(kind, name)
    },
  )

  it.each([...locks, ...groups, ...synchronizers])(
    '$what waits for its reply when the server is only slow and it does not wait for anything else',
    async (kind) => {
      const name = await prepared(kind)
      const asked = door.proxies.map((proxy) => {
        proxy.stall('replies')
        return proxy.onRequest(name).happened
      })
      const outcome = kind.call(client, name, { waitMs: 0 })
      await Promise.race(asked)
      await each((proxy) => {
        proxy.resume()
      })
      await outcome // a latch is not open, but that is a reply
      await straight.getKeys().deleteByPattern('*away-*')
    },
  )

  it.each(kinds.flatMap((kind) => [BRIEFLY_MS, WAIT_MS].map((waitMs) => ({ ...kind, waitMs }))))(
    '$what rejects after $waitMs ms when its reply is held back',
    async ({ waitMs, ...kind }) => {
      const name = await prepared(kind)
      await each((proxy) => {
        proxy.stall('replies')
      })
      await expect(kind.call(client, name, { waitMs })).rejects.toMatchObject(kind.sent ?? SENT)
      await settled(kind, name)
    },
  )

  it('a multi-lock rejects at its time when its second member does not reply, and releases the first', async () => {
    const both: Kind = {
      what: 'a multi-lock',
      call: (by, name, patience) =>
        by.getMultiLock(by.getLock(`${name}-1`), by.getLock(`${name}-2`)).tryAcquire(patience),
      isFree: async (by, name) => {
        const locked = await Promise.all(
          [1, 2].map((each) => by.getLock(`${name}-${String(each)}`).isLocked()),
        )
        return !locked.includes(true)
      },
    }
    const name = await prepared(both)
    for (const proxy of door.proxies)
      proxy.onRequest(`${name}-2`, () => {
        for (const other of door.proxies) other.stall('replies')
      })
    await expect(both.call(client, name, { waitMs: WAIT_MS })).rejects.toMatchObject(SENT)
    await settled(both, name)
  })
})
