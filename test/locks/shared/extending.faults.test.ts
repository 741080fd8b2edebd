import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type AcquireOptions, type LockHold, type RedissonClient } from '../../../src/index.js'
import { renew } from '../../../src/locks/reentrant/lock.scripts.js'
import { renewRead } from '../../../src/locks/read-write/read-write-lock.scripts.js'
import { renew as renewValues } from '../../../src/locks/multi-value/multi-value-lock.scripts.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const TIMEOUT_MS = 200
const LEASE_MS = 60_000
const BRIEFLY_MS = 400

interface Kind {
  readonly name: string
  readonly sha: string
  readonly take: (client: RedissonClient, name: string, options?: AcquireOptions) => Promise<LockHold>
}

const LONG = { leaseMs: 20_000 }
const kinds: readonly Kind[] = [
  {
    name: 'lock',
    sha: renew.sha,
    take: (client, name, options = LONG) => client.getLock(name).acquire(options),
  },
  {
    name: 'fair lock',
    sha: renew.sha,
    take: (client, name, options = LONG) => client.getFairLock(name).acquire(options),
  },
  {
    name: 'read lock',
    sha: renewRead.sha,
    take: (client, name, options = LONG) => client.getReadWriteLock(name).readLock().acquire(options),
  },
  {
    name: 'lock of values',
    sha: renewValues.sha,
    take: (client, name, options = LONG) => client.getMultiLock(name, ['a', 'b']).acquire(options),
  },
  {
    name: 'multi-lock',
    sha: renew.sha,
    take: (client, name, options = LONG) =>
      client.getMultiLock(client.getLock(name), client.getLock(`${name}-b`)).acquire(options),
  },
]

describe.each(topologies)('extending a hold at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(
      door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 10 }),
    )
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  describe.each(kinds)('of a $name', ({ sha, take }) => {
    it.each(faultsFor(TIMEOUT_MS))('works although the request %s', async (...fault) => {
      const name = `extended-${String(names++)}`
      const warm = await take(client, name)
      await warm.extend(1) // so that the server knows the script
      await warm.unlock()
      const hold = await take(client, name)
      const { struck } = strike(door.proxies, sha, fault)
      await hold.extend(LEASE_MS)
      await struck
      expect(hold.isHeld).toBe(true)
      expect(await leftMs(name)).toBeGreaterThan(LEASE_MS / 2)
      await hold.unlock()
      expect(await leftMs(name)).toBe(-2)
    })

    it('leaves in Redis nothing that ends meanwhile, without a release', async () => {
      const name = `extended-${String(names++)}`
      const warm = await take(client, name)
      await warm.extend(BRIEFLY_MS)
      await warm.unlock()
      const hold = await takeBriefly(() => take(client, name, { leaseMs: BRIEFLY_MS }))
      for (const proxy of door.proxies) proxy.stall('replies')
      const extending = hold.extend(LEASE_MS)
      await untilAborted(hold.signal)
      for (const proxy of door.proxies) proxy.resume('replies')
      await expect(extending).rejects.toMatchObject({ code: 'LOCK_LOST' })
      await eventually(async () => (await leftMs(name)) === -2)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    })
  })

  it(
    'leaves to Redis nothing that a request without an answer made longer',
    { tags: ['timed'] },
    async () => {
      const hold = await client.getLock(`extended-${String(names++)}`).acquire({ leaseMs: 5_000 })
      for (const proxy of door.proxies) proxy.stall('replies')
      await expect(hold.extend(LEASE_MS)).rejects.toMatchObject({
        code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as unknown,
      })
      expect(hold.isHeld).toBe(true)
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await hold.extend(1_000)
      expect(await leftMs(hold.name)).toBeGreaterThan(LEASE_MS / 2)
      await untilAborted(hold.signal)
      await eventually(async () => (await leftMs(hold.name)) === -2)
    },
  )

  it('rejects without a reply, and leaves the hold as it was', async () => {
    const hold = await client.getLock(`extended-${String(names++)}`).acquire({ leaseMs: LEASE_MS })
    for (const proxy of door.proxies) proxy.stall()
    await expect(hold.extend(2 * LEASE_MS)).rejects.toMatchObject({
      code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as unknown,
    })
    expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await hold.extend(2 * LEASE_MS)
    await hold.unlock()
  })

  it('counts from when it was asked for, however late the answer comes', { tags: ['timed'] }, async () => {
    const hold = await client.getLock(`extended-${String(names++)}`).acquire({ leaseMs: 1_000 })
    for (const proxy of door.proxies) proxy.delay(TIMEOUT_MS / 2, 'replies')
    await hold.extend(1_500)
    const abortedAt = untilAborted(hold.signal).then(() => performance.now())
    const freeAt = eventually(async () => (await leftMs(hold.name)) === -2).then(() => performance.now())
    expect(await abortedAt).toBeLessThanOrEqual(await freeAt)
  })

  it('saves nothing that ends while it is under way, and what it lengthened is given back', async () => {
    const lock = client.getLock(`extended-${String(names++)}`)
    const hold = await takeBriefly(() => lock.acquire({ leaseMs: BRIEFLY_MS }))
    for (const proxy of door.proxies) proxy.stall('replies')
    const extending = hold.extend(LEASE_MS)
    await untilAborted(hold.signal)
    for (const proxy of door.proxies) proxy.resume('replies')
    await expect(extending).rejects.toBe(hold.signal.reason)
    await hold[Symbol.asyncDispose]()
    await eventually(async () => (await leftMs(hold.name)) === -2)
  })

  /** Of its owner alone: a replica may not have heard yet. */
  const leftMs = async (name: string): Promise<number> => Number(await askOwner(topology, name, 'PTTL'))
})
