import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type ReleaseDelayedEvent, type RLock } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { twoAsOne } from './two-as-one.js'

// What may happen when a function has succeeded and its lock is to be released:
//
// - The release is refused, its reply is lost, or Redis cannot be reached: the caller has the result, and the release goes on.
// - Redis does not reply: the same once `releaseWaitMs` is over.
// - The lease ends, or the client shuts down, while the caller waits: the result stands.
// - The thread comes in again, or takes the lock anew, before the release has arrived: that takes nothing of the new hold.
// - Another process waits in the queue of a fair lock: it gets the lock as soon as the release arrives.
// - The lock was lost before: the caller gets the loss, as ever.

/** Much longer than a test: no lock is free because its lease has ended. */
const LEASE_MS = 600_000

/** How long a request waits for its reply, where the test ends the silence itself. */
const PATIENT_MS = 600_000

/** A request is sent once, so that it fails at once when its connection is cut. */
const SETTINGS = { retryAttempts: 0, reconnectionDelay: 10 }

type LockOf = (client: RedissonClient, name: string) => RLock

const kinds: readonly (readonly [what: string, kind: string, lockOf: LockOf])[] = [
  ['a lock', 'lock', (client, name) => client.getLock(name)],
  ['a spin lock', 'lock', (client, name) => client.getSpinLock(name)],
  ['a fair lock', 'lock', (client, name) => client.getFairLock(name)],
  ['a fenced lock', 'lock', (client, name) => client.getFencedLock(name)],
  ['a read lock', 'read-lock', (client, name) => client.getReadWriteLock(name).readLock()],
  ['a write lock', 'lock', (client, name) => client.getReadWriteLock(name).writeLock()],
  ['the values of a group', 'value-group', (client, name) => client.getMultiLock(name, ['one', 'two'])],
  ['a multi-lock', 'multi-lock', twoAsOne],
  ['a red lock', 'red-lock', (client, name) => Redisson.createRedLock([client], name) as RLock],
]

/** Whether the kind has members, each with a release of its own. */
const isGroup = (kind: string) => kind === 'multi-lock' || kind === 'red-lock'

const KEYS = { keeps: /redisson_lock_token:/ }

/** A client that waits for no release at the end of a function. */
function withoutWaiting(door: Proxied<typeof single>): Promise<RedissonClient> {
  return Redisson.create({
    ...door.options({ ...SETTINGS, timeout: PATIENT_MS }),
    lockWatchdogTimeout: LEASE_MS,
    releaseWaitMs: 0,
  })
}

/** Collects the events of late releases. */
function delaysOf(client: RedissonClient): ReleaseDelayedEvent[] {
  const delays: ReleaseDelayedEvent[] = []
  client.on('releaseDelayed', (event) => delays.push(event))
  return delays
}

describe.each(kinds)('a function under %s that has succeeded', (what, kind, lockOf) => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient
  let lock: RLock
  let theirs: RLock
  let delays: ReleaseDelayedEvent[]

  noLeaks(single, KEYS)

  const proxy = () => door.proxyOf(single.nodes[0])

  const goAway = () => {
    proxy().refuse()
    proxy().cut()
  }

  beforeEach(async () => {
    door = await proxied(single)
    client = await Redisson.create({
      ...door.options({ ...SETTINGS, timeout: PATIENT_MS }),
      lockWatchdogTimeout: LEASE_MS,
      releaseWaitMs: PATIENT_MS,
    })
    straight = await Redisson.create({ ...single.options(), lockWatchdogTimeout: LEASE_MS })
    lock = lockOf(client, `late ${what}`)
    theirs = lockOf(straight, `late ${what}`)
    delays = delaysOf(client)
    await lock.withLock(() => undefined) // so that the server knows the scripts
  })

  afterEach(async () => {
    await proxy().heal()
    await proxy().accept()
    await eventually(async () => !(await theirs.isLocked()))
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const isDelayed = expect.objectContaining({
    kind,
    owner: expect.stringContaining(':') as string,
    error: expect.any(Error) as Error,
  }) as ReleaseDelayedEvent

  it('has its result returned when Redis is away at the release, which goes on', async () => {
    const result = await lock.withLock(() => {
      goAway()
      return 'paid'
    })
    expect(result).toBe('paid')
    expect(delays).toEqual([isDelayed])
    expect(delays[0]?.name).toBe(lock.name)
    expect(await theirs.isLocked()).toBe(true)
    await proxy().accept()
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('has its result returned when the reply to the release is lost', async () => {
    const result = await lock.withLock(() => {
      proxy().swallowReplies()
      setImmediate(() => {
        proxy().cut()
      })
      return 'paid'
    })
    proxy().deliverReplies()
    expect(result).toBe('paid')
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('has its result returned after `releaseWaitMs` when Redis is silent', async () => {
    const paying = lock.withLock(
      () => {
        proxy().stall()
        return 'paid'
      },
      { releaseWaitMs: 0 },
    )
    expect(await paying).toBe('paid')
    expect(delays).toEqual([expect.objectContaining({ kind, name: lock.name, error: undefined })])
    expect(await theirs.isLocked()).toBe(true)
    proxy().resume()
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('is not told to be repeated by `await using` either', async () => {
    const pay = async () => {
      await using hold = await lock.acquire()
      expect(hold.isHeld).toBe(true)
      goAway()
      return 'paid'
    }
    expect(await pay()).toBe('paid')
    expect(delays).toEqual([isDelayed])
    await proxy().accept()
  })

  it('keeps its own error', async () => {
    const paying = lock.withLock(() => {
      goAway()
      throw new Error('planted')
    })
    await expect(paying).rejects.toThrow('planted')
    expect(delays).toEqual([isDelayed])
    await proxy().accept()
  })

  it('is told of a loss that Redis reports', async () => {
    const paying = lock.withLock(async () => {
      await theirs.forceUnlock()
      return 'paid'
    })
    await expect(paying).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'not-held' })
    expect(delays).toEqual([])
  })

  it('leaves it to `unlock()` to say that the release did not reach Redis', async () => {
    const hold = await lock.acquire()
    goAway()
    await expect(hold.unlock()).rejects.toMatchObject({
      code: isGroup(kind) ? 'MULTI_UNLOCK' : 'CONNECTION_LOST',
    })
    expect(delays).toEqual([])
    await proxy().accept()
  })

  it('has its result when the client shuts down while the release is under way', async () => {
    const leaving = Promise.withResolvers<void>()
    const paying = lock.withLock(() => {
      proxy().stall()
      setImmediate(leaving.resolve)
      return 'paid'
    })
    await leaving.promise
    const shutdown = client.shutdown()
    goAway()
    expect(await paying).toBe('paid')
    await proxy().accept()
    proxy().resume()
    await shutdown
    await theirs.forceUnlock()
  })
})

describe.each(kinds.filter(([, kind]) => !isGroup(kind)))('a late release of %s', (what, _, lockOf) => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient
  let lock: RLock
  let theirs: RLock

  noLeaks(single, KEYS)

  const proxy = () => door.proxyOf(single.nodes[0])

  beforeEach(async () => {
    door = await proxied(single)
    client = await withoutWaiting(door)
    straight = await Redisson.create({ ...single.options(), lockWatchdogTimeout: LEASE_MS })
    lock = lockOf(client, `late ${what}`)
    theirs = lockOf(straight, `late ${what}`)
    await client.runAsThread(async () => {
      await lock.lock()
      await lock.lock()
      await lock.unlock()
      await lock.unlock()
    }) // so that the server knows the scripts
  })

  afterEach(async () => {
    await proxy().heal()
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it.each(['arrives', 'is cut'])('takes nothing of what its thread takes next, if it %s', async (fate) => {
    await client.runAsThread(async () => {
      await lock.lock()
      await lock.withLock(() => {
        proxy().stall()
      })
      const entering = lock.lock()
      if (fate === 'is cut') proxy().cut()
      proxy().resume()
      await entering
      expect(await lock.getHoldCount()).toBe(2)
      await lock.unlock()
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
      expect(await lock.isLocked()).toBe(false)
    })
  })

  it.each(['arrives', 'is cut'])('takes nothing of another call of its scope, if it %s', async (fate) => {
    await lock.withLock(async () => {
      await lock.withLock(() => {
        proxy().stall()
      })
      const again = lock.withLock(() => lock.getHoldCount())
      if (fate === 'is cut') proxy().cut()
      proxy().resume()
      expect(await again).toBe(2)
      expect(await lock.getHoldCount()).toBe(1)
    })
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('lets the next owner in as soon as it arrives, in this process and in another one', async () => {
    await lock.withLock(() => {
      proxy().stall()
    })
    const [mine, other] = [lock.withLock(() => 'mine'), theirs.withLock(() => 'theirs')]
    proxy().resume()
    expect(await Promise.all([mine, other])).toEqual(['mine', 'theirs'])
    await eventually(async () => !(await theirs.isLocked()))
  })

  it('takes nothing back when the lease ends meanwhile', async () => {
    const leaving = Promise.withResolvers<void>()
    const paying = lock.withLock(
      () => {
        proxy().stall()
        setImmediate(leaving.resolve)
        return 'paid'
      },
      { leaseMs: 1_000, releaseWaitMs: PATIENT_MS },
    )
    await leaving.promise
    await eventually(async () => !(await theirs.isLocked()))
    proxy().resume()
    expect(await paying).toBe('paid')
  })
})

describe('a function that runs under more than a lock of its own', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient
  let delays: ReleaseDelayedEvent[]

  noLeaks(single, KEYS)

  const proxy = () => door.proxyOf(single.nodes[0])

  beforeEach(async () => {
    door = await proxied(single)
    client = await withoutWaiting(door)
    straight = await Redisson.create(single.options())
    delays = delaysOf(client)
  })

  afterEach(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it('ends its leadership when Redis is silent, and gives it up later', async () => {
    let led = 0
    await client.getLeaderElection('late').run(
      () => {
        proxy().stall()
        led += 1
      },
      { requeue: false },
    )
    expect(led).toBe(1)
    expect(delays).toEqual([
      expect.objectContaining({ kind: 'lock', name: 'ioredisson_leader:{late}', error: undefined }),
    ])
    proxy().resume()
    const elected = straight.getLeaderElection('late')
    await eventually(async () => (await elected.getLeader()) === undefined)
  })

  it.each(['onCrash', 'both'] as const)(
    'counts as run when Redis is silent, with retry %s',
    async (retry) => {
      const outcome = await client.getOnce('late', { ttlMs: 60_000 }).run(
        () => {
          proxy().stall()
          return 7
        },
        { fire: retry, retry },
      )
      expect(outcome).toEqual({ ran: true, value: 7 })
      expect(delays).toEqual([{ kind: 'mark', name: 'late', owner: undefined, error: undefined }])
      proxy().resume()
      const other = straight.getOnce('late', { ttlMs: 60_000 })
      expect(await other.run(() => 8, { fire: retry, retry })).toEqual({ ran: false })
      await straight.getKeys().deleteByPattern('redisson_once:{late}*')
    },
  )
})

describe('the channel for late releases', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  noLeaks(single, KEYS)

  beforeEach(async () => {
    door = await proxied(single)
    client = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: LEASE_MS })
  })

  afterEach(async () => {
    await client.shutdown()
    await door.stop()
  })

  it('is told of each, without the words of its error', async () => {
    const traces: unknown[] = []
    const listen = (trace: unknown) => traces.push(trace)
    subscribe('ioredisson:hold:delayed', listen)
    const [proxy] = door.proxies
    await client.getLock('traced').withLock(() => {
      proxy?.refuse()
      proxy?.cut()
    })
    unsubscribe('ioredisson:hold:delayed', listen)
    const error = expect.objectContaining({
      name: 'ConnectionLostError',
      code: 'CONNECTION_LOST',
      message: 'The release has failed',
    }) as Error
    expect(traces).toEqual([{ kind: 'lock', name: 'traced', error }])
    await proxy?.accept()
    await eventually(async () => !(await client.getLock('traced').isLocked()))
  })
})

describe.each([-1, Number.NaN, '1'])('`releaseWaitMs: %o`', (releaseWaitMs) => {
  it('is refused', async () => {
    await using client = await Redisson.create(single.options())
    const options = { releaseWaitMs } as { releaseWaitMs: number }
    const calls = [
      client.getLock('a').withLock(() => undefined, options),
      client.getSemaphore('a').withPermit(() => undefined, options),
      client.getPermitExpirableSemaphore('a').withPermit(() => undefined, options),
    ]
    for (const call of calls) await expect(call).rejects.toThrow(/^Expected `releaseWaitMs` to be/)
  })
})
