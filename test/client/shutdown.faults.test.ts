import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import { acquire, release } from '../../src/locks/reentrant/lock.scripts.js'
import * as fenced from '../../src/locks/fenced/fenced-lock.scripts.js'
import * as fair from '../../src/locks/fair/fair-lock.scripts.js'
import { Redisson } from '../../src/client/redisson.js'
import * as semaphore from '../../src/synchronizers/semaphore/semaphore.scripts.js'
import { untilAwaited } from '../support/channels.js'
import { eventually } from '../support/eventually.js'
import { noLeaks } from '../support/no-leaks.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { cluster, single, topologies } from '../support/topologies.js'

/** Of a client that meets no silence, so that a slow machine answers in time; and of one that does. */
const TIMEOUT_MS = 3000
const SHORT_TIMEOUT_MS = 300
const LONG_MS = 600_000

const SETTINGS = { retryDelay: 20, reconnectionDelay: 10 }

const kinds = {
  'a lock': { of: (client: RedissonClient) => client.getLock('it'), acquire, release },
  'a fenced lock': {
    of: (client: RedissonClient) => client.getFencedLock('it'),
    acquire: fenced.acquire,
    release,
  },
  'a fair lock': { of: (client: RedissonClient) => client.getFairLock('it'), ...fair },
} as const

describe.each([single, cluster])('a shutdown ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let other: RedissonClient

  noLeaks(topology, { except: /^redisson_lock_(token|queue|timeout):/ }) // of a fair waiter, for seconds

  beforeEach(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options({ ...SETTINGS, timeout: TIMEOUT_MS }))
    other = await Redisson.create(topology.options())
  })

  afterEach(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
    await door.stop()
  })

  const impatient = () =>
    Redisson.create(door.options({ ...SETTINGS, timeout: SHORT_TIMEOUT_MS, retryAttempts: 20 }))

  const delay = (ms: number): void => {
    for (const proxy of door.proxies) proxy.delay(ms)
  }

  describe.each(Object.entries(kinds))('while %s', (_, kind) => {
    it('is being taken leaves it free', async () => {
      const lock = kind.of(client)
      await lock.withLock(() => undefined) // so that the server knows the scripts
      delay(50)
      const calls = [lock.acquire({ leaseMs: LONG_MS }), lock.lock({ threadId: 7, leaseMs: LONG_MS })]
      const outcomes = Promise.allSettled(calls)
      await client.shutdown()
      for (const outcome of await outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CLOSED' } })
      expect(await kind.of(other).isLocked()).toBe(false)
    })

    it('is being given back leaves it free', async () => {
      const lock = kind.of(client)
      const hold = await lock.acquire({ leaseMs: LONG_MS })
      delay(50)
      const unlocked = hold.unlock()
      await client.shutdown()
      await unlocked
      expect(await kind.of(other).isLocked()).toBe(false)
    })

    it('is being handed over inside the process leaves it free', async () => {
      const lock = kind.of(client)
      const hold = await lock.acquire({ leaseMs: LONG_MS })
      const waiter = lock.acquire({ leaseMs: LONG_MS })
      const refused = expect(waiter).rejects.toMatchObject({ code: 'CLOSED' })
      await untilAwaited(topology, 'it')
      delay(50)
      const unlocked = hold.unlock()
      await client.shutdown()
      await unlocked
      await refused
      expect(await kind.of(other).isLocked()).toBe(false)
    })

    it('is given back once more in the background waits for that', async () => {
      const lock = kind.of(client)
      await lock.withLock(() => undefined)
      const gaveUp = new AbortController()
      for (const proxy of door.proxies)
        proxy.onReply(kind.acquire.sha, (passing) => {
          gaveUp.abort(new Error('enough'))
          passing.cut()
        })
      await expect(lock.acquire({ leaseMs: LONG_MS, signal: gaveUp.signal })).rejects.toThrow('enough')
      await client.shutdown()
      expect(await kind.of(other).isLocked()).toBe(false)
    })

    it('is released waits until Redis has it, also when messages get lost', async () => {
      const lock = kind.of(client)
      await lock.withLock(() => undefined)
      const hold = await lock.acquire({ leaseMs: LONG_MS })
      for (const proxy of door.proxies) proxy.onReply(kind.release.sha, (passing) => passing.cut())
      await client.shutdown({ release: true })
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      expect(await kind.of(other).isLocked()).toBe(false)
    })
  })

  it('settles when Redis is silent, and so does everything else', async () => {
    const brief = await impatient()
    const names = ['held', 'given back', 'waited for', 'asked for']
    const [held, givenBack, waitedFor, askedFor] = names.map((name) => brief.getLock(name))
    const foreign = await other.getLock('waited for').acquire()
    const hold = await held?.acquire()
    const last = await givenBack?.acquire()
    const waiter = waitedFor?.acquire()
    const queued = brief.getFairLock('waited for').acquire()
    await untilAwaited(topology, 'waited for')
    for (const proxy of door.proxies) proxy.stall()
    const all = Promise.allSettled([
      waiter,
      queued,
      askedFor?.acquire(),
      last?.unlock(),
      brief.getSemaphore('none').acquire(),
      brief.getCountDownLatch('none').await(),
    ])
    await brief.shutdown({ drainMs: 100, release: true })
    expect(hold?.signal.aborted).toBe(true)
    for (const outcome of await all) {
      const code = expect.stringMatching(/CLOSED|REPLY_TIMEOUT|CONNECTION_LOST/) as unknown
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code } })
    }
    await foreign.unlock()
    for (const name of names) await other.getLock(name).forceUnlock()
  })

  it('settles when Redis is gone', async () => {
    const brief = await impatient()
    const hold = await brief.getLock('it').acquire()
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await brief.shutdown({ drainMs: 100, release: true })
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'CLOSED' })
    await other.getLock('it').forceUnlock()
  })

  it('gives permits back that reached no caller', async () => {
    const permits = client.getSemaphore('permits')
    await permits.trySetPermits(3)
    await permits.acquire() // so that the server knows the script
    await permits.release()
    delay(50)
    const outcomes = Promise.allSettled([permits.acquire(), permits.tryAcquire(2)])
    await client.shutdown()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CLOSED' } })
    expect(await other.getSemaphore('permits').availablePermits()).toBe(3)
    await other.getSemaphore('permits').delete()
  })

  it('gives them back even if the first answer is lost', async () => {
    const permits = client.getSemaphore('permits')
    await permits.trySetPermits(3)
    const never = Promise.withResolvers<undefined>()
    const begun = Promise.withResolvers<undefined>()
    void permits.withPermit(() => {
      begun.resolve(undefined)
      return never.promise
    })
    await begun.promise
    for (const proxy of door.proxies) proxy.onReply(semaphore.release.sha, (passing) => passing.cut())
    await client.shutdown({ release: true })
    const left = other.getSemaphore('permits')
    await eventually(async () => (await left.availablePermits()) === 3)
    await left.delete()
  })
})

describe.each(topologies)('a shutdown with a drain ($kind)', (topology) => {
  let client: RedissonClient
  let other: RedissonClient

  noLeaks(topology)

  beforeEach(async () => {
    client = await Redisson.create(topology.options())
    other = await Redisson.create(topology.options())
  })

  afterEach(async () => {
    await Promise.all([client.shutdown(), other.shutdown()])
  })

  it('waits for everything that is out', async () => {
    const ended: string[] = []
    await other.getSemaphore('plain').trySetPermits(1)
    await other.getPermitExpirableSemaphore('expirable').trySetPermits(1)
    const end = Promise.withResolvers<undefined>()
    const until = (what: string) => async (): Promise<void> => {
      begun()
      await end.promise
      ended.push(what)
    }
    let running = 0
    const all = Promise.withResolvers<undefined>()
    const begun = (): void => {
      running += 1
      if (running === 4) all.resolve(undefined)
    }
    const [plain, expirable] = [client.getSemaphore('plain'), client.getPermitExpirableSemaphore('expirable')]
    const sections = Promise.all([
      client.getLock('a').withLock(until('lock')),
      client.getMultiLock(client.getLock('b'), client.getLock('c')).withLock(until('multi-lock')),
      plain.withPermit(until('permit')),
      expirable.withPermit(until('permit with an end')),
    ])
    await all.promise
    const shutdown = client.shutdown({ drainMs: LONG_MS }).then(() => ended.push('client'))
    await expect(plain.tryAcquire()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(plain.drainPermits()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(expirable.tryAcquirePermit()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(client.getCountDownLatch('none').await()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(client.getRateLimiter('none').tryAcquire()).rejects.toMatchObject({ code: 'CLOSED' })
    end.resolve(undefined)
    await sections
    await shutdown
    expect(ended.at(-1)).toBe('client')
    for (const name of ['a', 'b', 'c']) expect(await other.getLock(name).isLocked()).toBe(false)
    expect(await other.getSemaphore('plain').availablePermits()).toBe(1)
    expect(await other.getPermitExpirableSemaphore('expirable').availablePermits()).toBe(1)
    await other.getSemaphore('plain').delete()
    await other.getPermitExpirableSemaphore('expirable').delete()
  })

  it('gives everything back if that is wanted', async () => {
    await other.getSemaphore('plain').trySetPermits(2)
    await other.getPermitExpirableSemaphore('expirable').trySetPermits(1)
    const permit = await client.getPermitExpirableSemaphore('expirable').acquirePermit({ leaseMs: LONG_MS })
    const multi = client.getMultiLock(client.getLock('b'), client.getReadWriteLock('c').readLock())
    const group = await multi.acquire({ leaseMs: LONG_MS })
    const begun = Promise.withResolvers<undefined>()
    const end = Promise.withResolvers<undefined>()
    const section = client.getSemaphore('plain').withPermit(
      async () => {
        begun.resolve(undefined)
        await end.promise
      },
      { permits: 2 },
    )
    await begun.promise
    await client.runAsThread(async () => {
      await client.getLock('a').lock(LONG_MS)
      await client.getLock('a').lock(LONG_MS) // twice, so that one request does not free it
      await client.getLock('named').lock({ threadId: 7 })
      await client.getLock('named').lock({ threadId: 7 })
    })
    await client.shutdown({ drainMs: 20, release: true })
    expect(permit.signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'closed' })
    expect(group.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
    for (const name of ['a', 'b', 'named']) expect(await other.getLock(name).isLocked()).toBe(false)
    expect(await other.getReadWriteLock('c').writeLock().isLocked()).toBe(false)
    expect(await other.getPermitExpirableSemaphore('expirable').availablePermits()).toBe(1)
    const plain = other.getSemaphore('plain')
    expect(await plain.availablePermits()).toBe(2)
    end.resolve(undefined)
    await section // its permits are not given back a second time
    expect(await plain.availablePermits()).toBe(2)
    await plain.delete()
    await other.getPermitExpirableSemaphore('expirable').delete()
  })

  it('ends the member of a red lock that is its own', async () => {
    // A red lock waits for a share of that time until the last of its members is there.
    const third = await Redisson.create({ ...topology.options(), lockWatchdogTimeout: 120_000 })
    const names = ['a', 'b', 'c']
    const [a, b, c] = [client, other, third].map((each, n) => each.getLock(names[n] ?? ''))
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three')
    const red = third.getRedLock(c, b, a)
    const hold = await red.acquire()
    for (const lock of [a, b, c]) await eventually(() => lock.isLocked()) // the last one joins when the others have it
    await client.shutdown({ release: true })
    expect(hold.isHeld).toBe(true)
    expect(await third.getLock('a').isLocked()).toBe(false)
    await other.shutdown({ release: true })
    expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
    expect(await third.getLock('b').isLocked()).toBe(false)
    await third.shutdown({ release: true })
    await using reader = await Redisson.create(topology.options())
    expect(await reader.getLock('c').isLocked()).toBe(false)
  })

  it('ends the waiting for a red lock whose majority it takes away, and no sooner', async () => {
    const third = await Redisson.create(topology.options())
    const fourth = await Redisson.create(topology.options())
    const clients = [client, other, third]
    const names = ['a', 'b', 'c']
    const holds = await Promise.all(names.map((name) => fourth.getLock(name).acquire()))
    const red = third.getRedLock(...clients.map((each, n) => each.getLock(names[n] ?? '')))
    const calls = [
      red.lock(),
      red.withLock(() => undefined),
      red.tryAcquire({ waitMs: LONG_MS }),
      red.acquire(),
    ]
    const waiting = calls.map((call) =>
      call.then(
        () => 'taken',
        (error: unknown) => error,
      ),
    )
    await client.shutdown()
    await expect(Promise.race([...waiting, sleep(600, 'they wait')])).resolves.toBe('they wait')
    await third.shutdown()
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'CLOSED' })
    await Promise.all(holds.map((hold) => hold.unlock()))
    for (const name of names) expect(await fourth.getLock(name).isLocked()).toBe(false)
    await fourth.shutdown()
  })

  it('leaves alone what may be in the hands of another process by now', async () => {
    const lock = client.getLock('handed on')
    await lock.lock({ threadId: 7, leaseMs: LONG_MS })
    await client.shutdown({ drainMs: LONG_MS, release: true }) // and does not wait for it
    const theirs = other.getLock('handed on')
    expect(await theirs.isHeldByThread(`${client.id}:7`)).toBe(true)
    await theirs.unlock({ threadId: `${client.id}:7` })
  })

  it('ends the waiting of branches of one hold', async () => {
    const begun = Promise.withResolvers<undefined>()
    const end = Promise.withResolvers<undefined>()
    const lock = client.getLock('branches')
    const section = lock.withLock(async () => {
      const first = lock.withLock(async () => {
        begun.resolve(undefined)
        await end.promise
      })
      const second = lock.withLock(() => undefined)
      await expect(second).rejects.toMatchObject({ code: 'CLOSED' })
      end.resolve(undefined)
      await first
    })
    await begun.promise
    await client.shutdown({ drainMs: LONG_MS })
    await section
  })

  it('ends the pauses of spin locks', async () => {
    const backoff = { type: 'constant', delayMs: LONG_MS } as const
    const holder = await other.getSpinLock('spin').acquire()
    const waiter = client.getSpinLock('spin', { backoff }).acquire()
    const refused = expect(waiter).rejects.toMatchObject({ code: 'CLOSED' })
    await client.getSpinLock('spin').isLocked() // the answer comes after that to the first attempt
    await client.shutdown()
    await refused
    await holder.unlock()
  })

  it('takes what is lost in the meantime for ended', async () => {
    const hold = await client.getLock('it').acquire()
    const shutdown = client.shutdown({ drainMs: LONG_MS })
    await client.getLock('it').forceUnlock()
    await shutdown
    expect(hold.signal.reason).toMatchObject({ reason: 'forced' })
  })

  it('is refused with options that are wrong, and nothing has begun', async () => {
    const wrong = [{ drainMs: -1 }, { drainMs: NaN }, { drainMs: '1' }, { release: 1 }, { drain: 1 }, 5, null]
    for (const options of wrong as object[])
      await expect(client.shutdown(options)).rejects.toThrow(/^Expected .* got /)
    await client.getLock('it').withLock(() => undefined)
  })
})
