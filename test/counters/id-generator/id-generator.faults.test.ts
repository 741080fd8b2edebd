import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { takeIds, tryInit } from '../../../src/counters/id-generator/id-generator.scripts.js'
import { askOwner } from '../../support/ask-owner.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 5 }
/** Attempts that no busy machine outlasts. */
const PATIENT = { ...SETTINGS, retryAttempts: 20 }

/** The error where no server replies. */
const LOST = { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string }

describe.each([single, cluster])('ids whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let hasty: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name: string

  noLeaks(topology)

  const nextIn = () => askOwner(topology, name, 'GET')
  /** What was held back never arrives: late requests would make a generator anew that a test has deleted. */
  const heal = async () => {
    for (const proxy of door.proxies) proxy.resume('both', { held: 'dropped' })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  }
  const stall = () => {
    for (const proxy of door.proxies) proxy.stall()
  }

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(PATIENT))
    hasty = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
  })

  beforeEach(async () => {
    name = `lost-ids-${topology.kind}-${String(names++)}`
    const warm = straight.getIdGenerator(`warm-${name}`) // so that the servers know the scripts
    await warm.tryInit(1, 1)
    await warm.nextId()
    await warm.delete()
  })

  afterEach(async () => {
    await heal()
    await straight.getIdGenerator(name).delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), hasty.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('in a request that %s', TIMEOUT_MS, (...fault) => {
    it('are of one block that was taken, and of no other', async () => {
      await straight.getIdGenerator(name).tryInit(1, 10)
      const { struck } = strike(door.proxies, takeIds.sha, fault)
      const id = await client.getIdGenerator(name).nextId()
      await struck
      expect(id % 10).toBe(1) // the first of a block, whichever copy of the request took it
      const theirs = await straight.getIdGenerator(name).nextId()
      expect(theirs).toBeGreaterThan(id)
      expect(await client.getIdGenerator(name).nextId()).toBe(id + 1)
    })

    it('are of the first block, and no other is taken, with exactlyOnce', async () => {
      await straight.getIdGenerator(name).tryInit(1, 10)
      const { struck } = strike(door.proxies, name, fault)
      expect(await client.getIdGenerator(name, { exactlyOnce: true }).nextId()).toBe(1)
      await struck
      expect(await nextIn()).toBe('11')
    })

    it('are set up once with exactlyOnce', async () => {
      const { struck } = strike(door.proxies, name, fault)
      expect(await client.getIdGenerator(name, { exactlyOnce: true }).tryInit(7, 3)).toBe(true)
      await struck
      expect(await nextIn()).toBe('7')
    })

    it('are set up, or reject because that cannot be known', async () => {
      const { struck } = strike(door.proxies, tryInit.sha, fault)
      const set = await client
        .getIdGenerator(name)
        .tryInit(7, 3)
        .catch((error: unknown) => error)
      await struck
      if (set !== true) expect(set).toMatchObject({ ...LOST, mayHaveRun: true })
      expect(await nextIn()).toBe('7')
    })

    it('are taken ahead, and asked for again by a caller that needs them', { tags: ['timed'] }, async () => {
      const ids = client.getIdGenerator(name)
      await ids.tryInit(1, 4)
      await ids.nextId()
      await ids.nextId()
      const { struck } = strike(door.proxies, takeIds.sha, fault)
      const some = await Promise.all(Array.from({ length: 6 }, () => ids.nextId()))
      await struck
      expect(some.slice(0, 2)).toEqual([3, 4])
      expect((some[2] ?? 0) % 4).toBe(1)
      expect(new Set(some).size).toBe(6)
    })
  })

  it(
    'reject for each that waits by itself where no server replies, and come again later',
    { tags: ['timed'] },
    async () => {
      const ids = hasty.getIdGenerator(name)
      await ids.tryInit(1, 4)
      stall()
      const calls = await Promise.allSettled([ids.nextId(), ids.nextId(), ids.nextId()])
      const errors = calls.map((call) => call.status === 'rejected' && (call.reason as unknown))
      expect(errors).toMatchObject([LOST, LOST, LOST])
      expect(new Set(errors).size).toBe(3)
      await heal()
      expect(await ids.nextId()).toBeGreaterThan(0)
    },
  )

  it(
    'are handed out as long as there are some, whatever becomes of the next block',
    { tags: ['timed'] },
    async () => {
      const ids = hasty.getIdGenerator(name)
      await ids.tryInit(1, 8)
      await ids.nextId()
      stall()
      for (let count = 2; count <= 8; count += 1) expect(await ids.nextId()).toBe(count)
      await expect(ids.nextId()).rejects.toMatchObject(LOST)
      await heal()
      expect(await ids.nextId()).toBeGreaterThan(8)
    },
  )

  it('are taken ahead by a request that is not sent again', { tags: ['timed'] }, async () => {
    const ids = client.getIdGenerator(name)
    await ids.tryInit(1, 4)
    await ids.nextId()
    await ids.nextId()
    const traps = door.proxies.map((proxy) => proxy.loseReplyTo(takeIds.sha))
    expect(await ids.nextId()).toBe(3)
    await Promise.race(traps.map(({ happened }) => happened))
    await sleep(SETTINGS.retryDelay * 10)
    expect(await nextIn()).toBe('9')
    expect(await ids.nextId()).toBe(4)
    expect(await ids.nextId()).toBeGreaterThanOrEqual(9)
  })

  it('are not brought back by a request ahead that comes after delete()', { tags: ['timed'] }, async () => {
    const ids = client.getIdGenerator(name)
    await ids.tryInit(1, 4)
    await ids.nextId()
    await ids.nextId()
    const deleted = Promise.withResolvers<void>()
    for (const proxy of door.proxies) proxy.onRequest(takeIds.sha, () => deleted.promise)
    expect(await ids.nextId()).toBe(3)
    await sleep(TIMEOUT_MS / 4) // the request has come to the proxy by then
    await straight.getIdGenerator(name).delete()
    deleted.resolve()
    expect(await ids.nextId()).toBe(4)
    await client.getBucket(name).isExists() // comes after it on the same connection
    expect(await nextIn()).toBeNull()
    expect(await ids.nextId()).toBe(1)
  })

  it('do not delay the end of their client by more than any request does', { tags: ['timed'] }, async () => {
    const endMs = async (use: (ending: RedissonClient) => Promise<unknown>) => {
      const ending = await Redisson.create(door.options(SETTINGS))
      await use(ending)
      const begun = performance.now()
      await ending.shutdown()
      await heal()
      return performance.now() - begun
    }
    const usualMs = await endMs(async (ending) => {
      await ending.getBucket(name).get()
      stall()
      ending
        .getBucket(name)
        .get()
        .catch(() => undefined)
    })
    const withBlockAheadMs = await endMs(async (ending) => {
      const ids = ending.getIdGenerator(name)
      await ids.tryInit(1, 4)
      await ids.nextId()
      await ids.nextId()
      stall()
      expect(await ids.nextId()).toBe(3) // and asks for a block ahead
    })
    expect(withBlockAheadMs).toBeLessThan(usualMs + 3 * TIMEOUT_MS) // and not by all its attempts
  })
})
