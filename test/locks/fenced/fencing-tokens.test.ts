import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RFencedLock } from '../../../src/index.js'
import { acquire, takeOver } from '../../../src/locks/fenced/fenced-lock.scripts.js'
import { WATCHDOG_MS } from '../../contracts/lock-fixture.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { LockUser } from '../shared/lock-user.js'

/** The counter stays for good, so that tokens grow for good. */
const keeps = /^redisson_lock_token:/

/** So long that no hold is lost where a machine stands still. */
const LASTING_MS = 10_000

describe('the token of a fenced lock', () => {
  noLeaks(single, { keeps })
  const clients = twoClients(single, { lockWatchdogTimeout: LASTING_MS })
  let names = 0
  let mine: RFencedLock
  let tsuccessors: RFencedLock

  beforeEach(() => {
    names += 1
    mine = clients.mine.getFencedLock(`fenced-${String(names)}`)
    tsuccessors = clients.other.getFencedLock(`fenced-${String(names)}`)
  })

  it('is 1 and 2 of lockAndGetToken(), 3 and 4 of lock(), and 5 of tryLockAndGetToken()', async () => {
    const tokens: (number | undefined)[] = []
    const note = async (token: Promise<number | undefined>) => {
      tokens.push(await token)
      await mine.unlock()
    }
    await note(mine.lockAndGetToken())
    await note(mine.lockAndGetToken(10_000))
    await note(mine.lock().then(() => mine.getToken()))
    await note(mine.lock(10_000).then(() => mine.getToken()))
    await note(mine.tryLockAndGetToken())
    expect(tokens).toEqual([1, 2, 3, 4, 5])
  })

  it('is 0 before the first acquisition', async () => {
    expect(await mine.getToken()).toBe(0)
  })

  it('is a new one for a thread that came in by a lock of another kind', async () => {
    const before = await tsuccessors.lockAndGetToken()
    await tsuccessors.unlock()
    await clients.mine.runAsThread(async () => {
      const plain = clients.mine.getLock(mine.name)
      await plain.lock()
      const token = await mine.lockAndGetToken()
      expect(token).toBeGreaterThan(before)
      expect(await mine.lockAndGetToken()).toBe(token)
      await mine.unlock()
      await mine.unlock()
      await plain.unlock()
    })
  })

  it('is the same for every form of one hold, however often it re-enters', async () => {
    await mine.withLock(async (hold) => {
      const token = hold.fencingToken
      expect(await mine.lockAndGetToken()).toBe(token)
      expect(await mine.tryLockAndGetToken()).toBe(token)
      await mine.withLock((inner) => {
        expect(inner.fencingToken).toBe(token)
      })
      await mine.unlock()
      await mine.unlock()
      expect(await mine.getToken()).toBe(token)
    })
  })

  it('is larger every time, for any client and any form', async () => {
    const tokens: number[] = []
    for (let round = 0; round < 5; round += 1) {
      for (const lock of [mine, tsuccessors]) {
        await lock.withLock((hold) => void tokens.push(hold.fencingToken))
        const hold = await lock.acquire()
        tokens.push(hold.fencingToken)
        await hold.unlock()
        tokens.push(await lock.lockAndGetToken())
        await lock.unlock()
      }
    }
    expect(tokens).toEqual(Array.from(tokens, (_, index) => index + 1))
  })

  it('is larger for each of those to whom the lock is handed on inside the process', async () => {
    const tokens: number[] = []
    const first = await mine.acquire()
    const waiters = Array.from({ length: 20 }, () =>
      mine.withLock((hold) => void tokens.push(hold.fencingToken)),
    )
    await untilAwaited(single, mine.name)
    await first.unlock()
    await Promise.all(waiters)
    expect([first.fencingToken, ...tokens]).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  })

  it('is larger after the lock was forced open, and the old hold keeps its own', async () => {
    const first = await mine.acquire()
    await tsuccessors.forceUnlock()
    const second = await tsuccessors.acquire()
    expect(second.fencingToken).toBeGreaterThan(first.fencingToken)
    await expect(first.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(first.fencingToken).toBe(1)
    await second.unlock()
  })

  it('is larger after the lease has ended, and the late hold keeps its own', async () => {
    const late = await mine.acquire({ leaseMs: 50 })
    const next = await tsuccessors.acquire()
    expect(next.fencingToken).toBeGreaterThan(late.fencingToken)
    expect([late.fencingToken, late.isHeld]).toEqual([1, false])
    await next.unlock()
  })

  it('is new for a named thread that lost the lock in between without knowing', async () => {
    const first = await mine.lockAndGetToken({ threadId: 7, leaseMs: 60_000 })
    await tsuccessors.forceUnlock()
    await tsuccessors.withLock(() => undefined)
    const second = await mine.lockAndGetToken({ threadId: 7, leaseMs: 60_000 })
    expect([first, second]).toEqual([1, 3])
    await mine.unlock({ threadId: 7 })
    expect(await mine.isLocked()).toBe(false)
  })

  it('is larger after its process was killed', async () => {
    const user = await LockUser.start({ ...single.options(), lockWatchdogTimeout: WATCHDOG_MS }, 'fenced')
    expect(await user.call(mine.name, 'tryLock')).toMatchObject({ answer: true })
    expect(await mine.getToken()).toBe(1)
    await user[Symbol.asyncDispose]() // by SIGKILL
    const hold = await mine.acquire()
    expect(hold.fencingToken).toBe(2)
    await hold.unlock()
  })

  it('comes with a lease that is honoured in every form (S-1)', async () => {
    const forms = [
      () => mine.lockAndGetToken(60_000),
      () => mine.lockAndGetToken({ leaseMs: 60_000 }),
      () => mine.tryLockAndGetToken(0, 60_000),
      () => mine.tryLockAndGetToken({ leaseMs: 60_000 }),
      () => mine.tryLockAndGetToken({ waitMs: 1_000, leaseMs: 60_000 }),
    ]
    for (const take of forms) {
      await take()
      expect(await mine.remainTimeToLive()).toBeGreaterThan(LASTING_MS)
      await mine.unlock()
    }
  })

  it('is null at once if the lock is not free and the call does not wait (S-2)', async () => {
    const hold = await tsuccessors.acquire({ leaseMs: 60_000 })
    await using monitor = await Monitor.of(single.nodes)
    expect(await mine.tryLockAndGetToken()).toBeUndefined()
    expect(await mine.tryLockAndGetToken(-1)).toBeUndefined()
    const asked = (await monitor.deedsOn(mine.name)).filter(({ by }) => by === 'client')
    expect(asked).toHaveLength(2)
    expect(await mine.tryLockAndGetToken(50)).toBeUndefined()
    expect(await mine.getToken()).toBe(hold.fencingToken)
    await hold.unlock()
  })

  it('is not given for a lock that is held without a lease (S-3)', async () => {
    await single.nodes[0].command('HSET', mine.name, 'another:1', 1)
    expect(await mine.tryLockAndGetToken()).toBeUndefined()
    expect(await mine.tryAcquire()).toBeUndefined()
    expect(await mine.getToken()).toBe(0)
    await single.nodes[0].command('DEL', mine.name)
  })
})

const TIMEOUT_MS = 200

describe('the token of a fenced lock whose messages get lost', () => {
  noLeaks(single, { keeps })
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let lock: RFencedLock
  let names = 0

  beforeAll(async () => {
    door = await proxied<SingleTopology<ServerNode>>(single)
    client = await Redisson.create(
      door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }),
    )
  })

  beforeEach(async () => {
    names += 1
    lock = client.getFencedLock(`lost-token-${String(names)}`)
    await lock.withLock(() => undefined) // so that the server knows the scripts, and has given token 1
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const faults: readonly (readonly [string, (sha: string) => void])[] = [
    ['the request is cut off', (sha) => door.proxies[0]?.onRequest(sha, (passing) => passing.cut())],
    ['the answer is cut off', (sha) => door.proxies[0]?.onReply(sha, (passing) => passing.cut())],
    ['the answer vanishes', (sha) => door.proxies[0]?.onReply(sha, (passing) => passing.freeze())],
  ]

  it.each(faults)('is generated once when it is taken and %s', async (_, strike) => {
    strike(acquire.sha)
    const hold = await lock.acquire()
    expect(hold.fencingToken).toBe(2)
    expect(await lock.getToken()).toBe(2)
    await hold.unlock()
  })

  it.each(faults)('stays when its holder re-enters and %s', async (_, strike) => {
    await lock.withLock(async ({ fencingToken }) => {
      strike(acquire.sha)
      expect(await lock.lockAndGetToken()).toBe(fencingToken)
      await lock.unlock()
    })
    expect(await lock.getToken()).toBe(2)
  })

  it.each(faults)('is generated once for a waiter that takes the lock over when %s', async (_, strike) => {
    const first = await lock.acquire()
    const waiting = lock.acquire()
    await untilAwaited(single, lock.name)
    strike(takeOver.sha)
    await first.unlock()
    const successor = await waiting
    expect([first.fencingToken, successor.fencingToken, await lock.getToken()]).toEqual([2, 3, 3])
    await successor.unlock()
  })
})
