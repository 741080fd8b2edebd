import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import { twoAsOne } from './two-as-one.js'
import { addressOf } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const BRIEFLY_MS = 100
const LEASE_MS = 60_000

/** How long a request waits for its reply: longer than a test may take. */
const TIMEOUT_MS = 600_000

/** Redis has not said whether the lock can be had, and was not asked by the call itself. */
const nothingKnown = (address: string) => ({ code: 'REPLY_TIMEOUT', mayHaveRun: false, address })

type LocksOf = (client: RedissonClient, name: string) => readonly [outer: RLock, inner: RLock]

const twice = (lock: RLock) => [lock, lock] as const

const kinds: readonly (readonly [string, LocksOf])[] = [
  ['a lock', (client, name) => twice(client.getLock(name))],
  ['a fair lock', (client, name) => twice(client.getFairLock(name))],
  ['a fenced lock', (client, name) => twice(client.getFencedLock(name))],
  ['a read lock', (client, name) => twice(client.getReadWriteLock(name).readLock())],
  ['a write lock', (client, name) => twice(client.getReadWriteLock(name).writeLock())],
  ['the values of a group', (client, name) => twice(client.getMultiLock(name, ['one', 'two']))],
  ['a multi-lock', (client, name) => twice(twoAsOne(client, name))],
  [
    'a write lock, and the read lock inside it',
    (client, name) => [client.getReadWriteLock(name).writeLock(), client.getReadWriteLock(name).readLock()],
  ],
]

describe.each(kinds)('a call about a hold of %s that another one keeps waiting', (kind, locksOf) => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let outer: RLock
  let inner: RLock

  noLeaks(single, { keeps: /redisson_lock_token:/ })

  const proxy = () => door.proxyOf(single.nodes[0])
  const silence = () => nothingKnown(addressOf(proxy()))

  beforeEach(async () => {
    door = await proxied(single)
    client = await Redisson.create(
      door.options({ timeout: TIMEOUT_MS, retryAttempts: 0, reconnectionDelay: 10 }),
    )
    ;[outer, inner] = locksOf(client, `in-turn ${kind}`)
  })

  afterEach(async () => {
    await proxy().heal()
    await client.shutdown()
    await door.stop()
  })

  it('gives up with its signal and in time while extend() is unanswered, and comes in as soon as it is', async () => {
    await outer.withLock(async (hold) => {
      proxy().stall()
      const extending = hold.extend(LEASE_MS)
      let ran = 0
      const run = () => (ran += 1)
      const aborted = inner.withLock(run, { signal: AbortSignal.timeout(BRIEFLY_MS) })
      await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' })
      await expect(inner.withLock(run, { waitMs: BRIEFLY_MS })).rejects.toMatchObject(silence())
      const patient = inner.withLock(run, { waitMs: LEASE_MS, signal: AbortSignal.timeout(LEASE_MS) })
      proxy().resume()
      await extending
      await patient
      expect(ran).toBe(1)
      expect(await outer.getHoldCount()).toBe(1)
    })
    expect(await outer.isLocked()).toBe(false)
  })

  it('gives up in time while unlock() is unanswered, and is not counted later', async () => {
    await client.runAsThread(async () => {
      await outer.lock()
      await outer.lock()
      proxy().stall()
      const unlocking = outer.unlock()
      await expect(inner.tryLock({ waitMs: BRIEFLY_MS })).rejects.toMatchObject(silence())
      const aborted = inner.lock({ signal: AbortSignal.timeout(BRIEFLY_MS) })
      await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' })
      proxy().resume()
      await unlocking
      expect(await outer.getHoldCount()).toBe(1)
      await outer.unlock()
      expect(await inner.tryLock()).toBe(true) // its own turn has come to an end
      await inner.unlock()
    })
    expect(await outer.isLocked()).toBe(false)
  })

  it('gives up when the client is shut down', async () => {
    const scope = outer.withLock(async (hold) => {
      proxy().stall()
      const extending = hold.extend(LEASE_MS).catch(() => undefined)
      const waiting = inner.withLock(() => undefined)
      const shutdown = client.shutdown()
      await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' })
      proxy().resume()
      await Promise.all([extending, shutdown])
    })
    await expect(scope).rejects.toThrow()
    await single.nodes[0].command('FLUSHALL') // no owner was left to release it
  })
})
