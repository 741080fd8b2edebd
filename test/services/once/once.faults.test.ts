import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Once, OnceRun } from '../../../src/services/once/once.api.js'
import type { ReleaseDelayedEvent } from '../../../src/api/events.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { Redisson } from '../../../src/client/redisson.js'
import { mark, renew, settle, unmark } from '../../../src/services/once/once.scripts.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { cluster, single } from '../../support/topologies.js'
import { standStill } from '../../support/stand-still.js'

const TIMEOUT_MS = 200

/** For the client that asks only once: no reply of a busy machine takes longer. */
const HASTY_TIMEOUT_MS = 1_000

const WATCHDOG_MS = 1_500
const LONG_MS = 600_000
/** For marks whose leases are not what a test is about: no busy machine outlasts them. */
const LEASE_MS = 30_000
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** The error where no server replies. */
const LOST = { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string }

const fail = () => {
  throw new Error('it failed')
}

describe.each([single, cluster])('a run whose messages get lost on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let hasty: RedissonClient
  let straight: RedissonClient
  /** One with leases that are soon renewed, or soon over. */
  let watched: RedissonClient
  let mine: Once
  let theirs: Once
  let impatient: Once
  let names = 0

  noLeaks(topology, { except: /^redisson_once:/ })

  const ask = (command: string) => askOwner(topology, `redisson_once:{${mine.name}}:1`, command)
  const leftMs = async () => Number(await ask('PTTL'))
  const heal = () => Promise.all(door.proxies.map((proxy) => proxy.heal()))

  beforeAll(async () => {
    door = await proxied(topology)
    const settings = { lockWatchdogTimeout: LEASE_MS }
    client = await Redisson.create({ ...door.options(SETTINGS), ...settings })
    hasty = await Redisson.create({
      ...door.options({ ...SETTINGS, timeout: HASTY_TIMEOUT_MS, retryAttempts: 0 }),
      ...settings,
    })
    straight = await Redisson.create({ ...topology.options({}), ...settings })
    watched = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: WATCHDOG_MS })
    const warm = straight.getOnce('warm', { ttlMs: 1 })
    await warm.run(() => 0, { retry: 'both' }) // so that the servers know the scripts
    await warm.run(fail, { fire: 1, retry: 'both' }).catch(() => undefined)
  })

  /** Runs by the client that asks only once, which is refused while a cluster finds a node again whose connection was cut. */
  const runHastily = async () => {
    for (;;) {
      try {
        return await impatient.run(() => 7, { fire: 1 })
      } catch (error) {
        if (!isRedissonError(error, 'SERVER_NOT_READY')) throw error
      }
    }
  }

  beforeEach(async () => {
    const name = `lost-${String(names++)}`
    await eventually(() =>
      hasty
        .getLock(name)
        .isLocked()
        .then(() => true),
    ) // after the faults of the test before
    mine = client.getOnce(name, { ttlMs: LONG_MS })
    impatient = hasty.getOnce(name, { ttlMs: LONG_MS })
    theirs = straight.getOnce(name, { ttlMs: LONG_MS })
  })

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([client, hasty, straight, watched].map((each) => each.shutdown()))
    await door.stop()
  })

  describeFaults('a request that %s', TIMEOUT_MS, (...fault) => {
    it.each([undefined, 'both'] as const)('marks exactly once, with retry %s', async (retry) => {
      const { struck } = strike(door.proxies, mark.sha, fault)
      const outcome = await mine.run(() => 7, { fire: 1, ...(retry && { retry }) })
      await struck
      expect(outcome).toEqual({ ran: true, value: 7 })
      expect(await theirs.run(fail, { fire: 1 })).toEqual({ ran: false })
      expect(await leftMs()).toBeGreaterThan(LONG_MS - 60_000)
    })

    it('is refused where another has run', async () => {
      await theirs.run(() => 7, { fire: 1 })
      const { struck } = strike(door.proxies, mark.sha, fault)
      expect(await mine.run(fail, { fire: 1 })).toEqual({ ran: false })
      await struck
    })

    it('keeps the mark for the rest of the time', async () => {
      const { struck } = strike(door.proxies, settle.sha, fault)
      expect(await mine.run(() => 7, { fire: 1, retry: 'onCrash' })).toEqual({ ran: true, value: 7 })
      await struck
      expect(await leftMs()).toBeGreaterThan(LONG_MS - 60_000)
    })

    it('removes the mark after an error, and no other', async () => {
      const { struck } = strike(door.proxies, unmark.sha, fault)
      await expect(mine.run(fail, { fire: 1, retry: 'onError' })).rejects.toThrow('it failed')
      await struck
      expect(await theirs.run(() => 7, { fire: 1 })).toEqual({ ran: true, value: 7 })
      await sleep(TIMEOUT_MS * 2)
      expect(await ask('EXISTS')).toBe(1)
    })
  })

  it.each(faultsFor(HASTY_TIMEOUT_MS))(
    'a request that %s, and is given up, leaves no mark, and the next call runs',
    { tags: ['timed'] },
    async (...fault) => {
      const { struck } = strike(door.proxies, mark.sha, fault)
      await expect(impatient.run(fail, { fire: 1 })).rejects.toMatchObject(LOST)
      await struck
      expect(await runHastily()).toEqual({ ran: true, value: 7 })
    },
  )

  it('leaves no mark by a copy that comes after an error', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    strike(door.proxies, mark.sha, ['is held up', 'request', () => held])
    await expect(mine.run(fail, { fire: 1, retry: 'onError' })).rejects.toThrow('it failed')
    letGo()
    await sleep(50)
    expect(await ask('EXISTS')).toBe(0)
  })

  it('leaves no mark by a copy that comes after it was refused', async () => {
    const running = Promise.withResolvers<undefined>()
    const other = theirs.run(() => running.promise, { fire: 1, retry: 'onError' })
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    strike(door.proxies, mark.sha, ['is held up', 'request', () => held])
    expect(await mine.run(fail, { fire: 1 })).toEqual({ ran: false })
    running.reject(new Error('it failed'))
    await expect(other).rejects.toThrow('it failed')
    letGo()
    await sleep(50)
    expect(await ask('EXISTS')).toBe(0)
  })

  it('leaves no mark by a copy that comes after it was given up', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    strike(door.proxies, mark.sha, ['is held up', 'request', () => held])
    await expect(impatient.run(fail, { fire: 1 })).rejects.toMatchObject(LOST)
    expect(await theirs.run(() => 7, { fire: 1, retry: 'onError' })).toEqual({ ran: true, value: 7 })
    await ask('DEL')
    letGo()
    await sleep(50)
    await eventually(async () => (await ask('EXISTS')) === 0) // the copy may come before the request that undoes it
  })

  it('marks anew where the answer comes after the lease', { tags: ['timed'] }, async () => {
    const slow = await Redisson.create({
      ...door.options({ timeout: 10_000 }),
      lockWatchdogTimeout: WATCHDOG_MS,
    })
    const asked = Promise.withResolvers<void>()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    strike(door.proxies, mark.sha, ['is answered late', 'reply', () => (asked.resolve(), held)])
    const late = slow
      .getOnce(mine.name, { ttlMs: LONG_MS })
      .run(() => theirs.run(fail, { fire: 1 }), { fire: 1, retry: 'onCrash' })
    await asked.promise
    await eventually(async () => (await ask('EXISTS')) === 0, { what: 'the end of the lease' })
    letGo()
    const outcome = await late
    expect(outcome).toEqual({ ran: true, value: { ran: false } })
    await slow.shutdown()
  })

  it.each([undefined, 'onError'] as const)(
    'does not run where the answer comes after the time, with retry %s, and another has begun',
    async (retry) => {
      const slow = await Redisson.create(door.options({ timeout: 10_000 }))
      const options = { fire: 1, ...(retry && { retry }) }
      const asked = Promise.withResolvers<void>()
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
      strike(door.proxies, mark.sha, ['is answered late', 'reply', () => (asked.resolve(), held)])
      const late = slow.getOnce(mine.name, { ttlMs: 300 }).run(fail, options)
      await asked.promise
      await eventually(async () => (await ask('EXISTS')) === 0)
      const other = await theirs.run(() => (letGo(), late), options)
      expect(other).toEqual({ ran: true, value: { ran: false } })
      await slow.shutdown()
    },
  )

  it('is not run, and leaves no mark, where no answer can come within the time', async () => {
    const outcome = straight.getOnce(mine.name, { ttlMs: 1 }).run(fail, { fire: 1 })
    await expect(outcome).rejects.toMatchObject({ code: 'MARK_LOST', reason: 'expired' })
    await expect(outcome).rejects.toThrow(/it lasts for 1 ms, and Redis took longer/)
    expect(await ask('EXISTS')).toBe(0)
  })

  it(
    'leaves no mark when it is answered after its caller has given up, and Redis is away then',
    { tags: ['timed'] },
    async () => {
      const controller = new AbortController()
      const asked = Promise.withResolvers<void>()
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
      strike(door.proxies, mark.sha, ['is answered late', 'reply', () => (asked.resolve(), held)])
      const outcome = impatient.run(fail, { fire: 1, signal: controller.signal })
      await asked.promise
      controller.abort(new Error('enough'))
      await expect(outcome).rejects.toThrow('enough')
      for (const proxy of door.proxies) proxy.onRequest(unmark.sha, (passing) => passing.cut(), { times: 2 })
      letGo()
      expect(await runHastily()).toEqual({ ran: true, value: 7 })
    },
  )

  it('renews a mark until Redis knows that its function has ended', { tags: ['timed'] }, async () => {
    // Refused, not cut: a cut would take renewals along that were sent over the same connection.
    for (const proxy of door.proxies) {
      const refuse = (passing: Passing) => passing.refuse('LOADING Redis is loading the dataset in memory')
      proxy.onRequest(settle.sha, refuse, { times: Infinity })
    }
    const outcome = watched.getOnce(mine.name, { ttlMs: LONG_MS }).run(() => 7, { fire: 1, retry: 'onCrash' })
    expect(await outcome).toEqual({ ran: true, value: 7 })
    await sleep(WATCHDOG_MS * 1.5)
    expect(await ask('EXISTS')).toBe(1)
    await heal()
    await eventually(async () => (await leftMs()) > LONG_MS - 60_000)
  })

  it.each(['onRequest', 'onReply'] as const)(
    'goes on to keep the mark where Redis cannot be reached, %s',
    { tags: ['timed'] },
    async (moment) => {
      for (const proxy of door.proxies) proxy[moment](settle.sha, (passing) => passing.cut())
      const delayed = Promise.withResolvers<ReleaseDelayedEvent>()
      hasty.once('releaseDelayed', delayed.resolve)
      const outcome = await impatient.run(() => 7, { fire: 1, retry: 'onCrash' })
      expect(outcome).toEqual({ ran: true, value: 7 })
      expect(await delayed.promise).toMatchObject({ kind: 'mark', name: mine.name, error: LOST })
      await eventually(async () => (await leftMs()) > LONG_MS - 60_000)
    },
  )

  it('is known to be lost before Redis frees its mark', { tags: ['timed'] }, async () => {
    // The signal is a hundredth of the lease ahead of Redis: long enough for a machine that is busy.
    const slow = await Redisson.create({ ...door.options(SETTINGS), lockWatchdogTimeout: 6_000 })
    const begun = Promise.withResolvers<OnceRun>()
    const outcome = slow.getOnce(mine.name, { ttlMs: LONG_MS }).run(
      async (run) => {
        begun.resolve(run)
        await new Promise((resolve) => {
          run.signal.addEventListener('abort', resolve)
        })
        return await ask('EXISTS')
      },
      { fire: 1, retry: 'onCrash' },
    )
    const { signal } = await begun.promise
    for (const proxy of door.proxies)
      proxy.onRequest(renew.sha, (passing) => passing.freeze(), { times: 100 })
    const { promise: stillThere, resolve } = Promise.withResolvers<unknown>()
    signal.addEventListener('abort', () => {
      resolve(ask('EXISTS'))
    })
    expect(await stillThere).toBe(1)
    expect(signal.reason).toMatchObject({ code: 'MARK_LOST', reason: 'expired' })
    await outcome.catch(() => undefined)
    await heal()
    await slow.shutdown()
  })

  it('knows it at once after a time when the process stood still', async () => {
    const seen = watched.getOnce(mine.name, { ttlMs: LONG_MS }).run(
      ({ signal }) => {
        standStill(WATCHDOG_MS * 1.1)
        return [signal.aborted, (signal.reason as Error).message]
      },
      { fire: 1, retry: 'onCrash' },
    )
    await expect(seen).rejects.toMatchObject({ code: 'MARK_LOST', reason: 'expired' })
  })
})
