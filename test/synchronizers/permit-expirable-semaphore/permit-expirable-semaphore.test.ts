import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import {
  ClientClosedError,
  PermitLostError,
  PermitNotHeldError,
  PermitTimeoutError,
  Redisson,
  WrongTypeError,
  type PermitHold,
  type RPermitExpirableSemaphore,
} from '../../../src/index.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'
import { SynchronizerFixture, WATCHDOG_MS } from '../shared/synchronizer-fixture.js'
import { standStill } from '../../support/stand-still.js'

/** Longer than a test may take, so that a waiter wakes by a message or by the end of a lease. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

const reason = new Error('no longer wanted')
const unknown = '0123456789abcdef0123456789abcdef'

describe.each(topologies)('a semaphore whose permits can expire ($kind)', (topology) => {
  const bench = new SynchronizerFixture<RPermitExpirableSemaphore>(topology, (client, name) =>
    client.getPermitExpirableSemaphore(name),
  )
  const brisk = twoClients(topology, { lockWatchdogTimeout: WATCHDOG_MS })
  noLeaks(topology)

  /** The same semaphore at a client whose watchdog is quick. */
  const watched = () => bench.of(brisk.mine)

  /** How many permits are free, lent, and there at all. */
  const counts = () =>
    Promise.all([bench.theirs.availablePermits(), bench.theirs.acquiredPermits(), bench.theirs.getPermits()])
  const remove = () => bench.mine.delete()

  describe('its permits', () => {
    it('are none where nothing is set (edge 95)', async () => {
      expect(await counts()).toEqual([0, 0, 0])
      expect(await bench.mine.tryAcquire()).toBeUndefined()
      expect(await bench.mine.tryAcquireMany(2)).toBeUndefined()
      expect(await bench.mine.tryAcquirePermit()).toBeUndefined()
    })

    it('have ids of 32 hexadecimal digits, and are lent once (edge 96)', async () => {
      expect(await bench.mine.trySetPermits(1)).toBe(true)
      expect(await bench.theirs.trySetPermits(2)).toBe(false)
      const id = await bench.mine.acquire()
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      expect(await bench.theirs.tryAcquire()).toBeUndefined()
      await bench.theirs.release(id)
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('come back when their leases end (edge 97)', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(2)
      await bench.mine.acquire(1_000)
      await bench.theirs.acquire({ leaseMs: 1_000 })
      expect(await bench.mine.tryAcquire()).toBeUndefined()
      expect(await counts()).toEqual([0, 2, 2])
      await eventually(async () => (await bench.mine.availablePermits()) === 2)
      expect(await counts()).toEqual([2, 0, 2])
      await remove()
    })

    it('are set to any number, also while they are lent (edge 100)', async () => {
      expect(await bench.mine.trySetPermits(10)).toBe(true)
      for (const permits of [15, 15, 5]) {
        await bench.mine.setPermits(permits)
        expect(await counts()).toEqual([permits, 0, permits])
      }
      const ids = await bench.mine.acquireMany(3)
      expect(await counts()).toEqual([2, 3, 5])
      await bench.mine.setPermits(3)
      expect(await counts()).toEqual([0, 3, 3])
      await bench.mine.setPermits(2)
      expect(await counts()).toEqual([-1, 3, 2])
      await bench.mine.release(ids)
      expect(await counts()).toEqual([2, 0, 2])
      await remove()
      await bench.mine.setPermits(4)
      expect(await counts()).toEqual([4, 0, 4])
      await remove()
    })

    it.each(['setPermits', 'trySetPermits'] as const)(
      'are as many as %s() says where the server has evicted their number',
      async (set) => {
        await bench.mine.trySetPermits(5)
        const ids = await bench.mine.acquireMany(2)
        await bench.ask('DEL')
        await bench.mine[set](5)
        expect(await counts()).toEqual([3, 2, 5])
        await bench.mine.release(ids)
        expect(await counts()).toEqual([5, 0, 5])
        await remove()
      },
    )

    it('are added and taken away (edge 101)', async () => {
      await bench.mine.addPermits(5)
      await bench.mine.addPermits(-2)
      expect(await counts()).toEqual([3, 0, 3])
      const ids = await bench.mine.acquireMany(3)
      await bench.mine.addPermits(-1)
      expect(await counts()).toEqual([-1, 3, 2])
      await bench.mine.release(ids)
      await remove()
    })

    it('are taken together and given back in parts, but not twice (edge 102)', async () => {
      await bench.mine.trySetPermits(10)
      const ids = await bench.mine.acquireMany(6)
      expect(new Set(ids).size).toBe(6)
      await bench.mine.release(ids.slice(0, 4))
      expect(await counts()).toEqual([8, 2, 10])
      await bench.mine.release(ids.slice(4))
      await expect(bench.mine.release(ids.slice(4))).rejects.toBeInstanceOf(PermitNotHeldError)
      expect(await counts()).toEqual([10, 0, 10])
      await remove()
    })

    it('are given back all or none (edge 103)', async () => {
      await bench.mine.trySetPermits(4)
      const [good, other] = (await bench.mine.acquireMany(2)) as [string, string]
      const returned = await bench.mine.acquire()
      await bench.mine.release(returned)
      const expired = await takeBriefly(() => bench.mine.acquire(30))
      await eventually(async () => (await bench.mine.acquiredPermits()) === 2)
      for (const bad of [unknown, returned, expired]) {
        expect(await bench.mine.tryRelease([good, bad])).toBe(false)
        await expect(bench.mine.release([good, bad])).rejects.toMatchObject({
          code: 'PERMIT_NOT_HELD',
          semaphore: bench.name,
          ids: [good, bad],
        })
      }
      expect(await counts()).toEqual([2, 2, 4])
      expect(await bench.mine.tryRelease([good, other])).toBe(true)
      expect(await counts()).toEqual([4, 0, 4])
      await remove()
    })

    it('that are unknown cannot be given back (edge 107)', async () => {
      await expect(bench.mine.release(unknown)).rejects.toMatchObject({ ids: [unknown] })
      expect(await bench.mine.tryRelease(unknown)).toBe(false)
      expect(await bench.ask('EXISTS')).toBe(0)
    })

    it('that have expired count as free, and giving them back is refused (edge 98)', async () => {
      await bench.mine.trySetPermits(1)
      const id = await takeBriefly(() => bench.mine.acquire(50))
      await sleep(80)
      expect(await bench.mine.tryRelease(id)).toBe(false)
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it(
      'keep the end of the semaphore, and none of it is left then (edge 105)',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetPermits(2)
        await bench.ask('PEXPIRE', 300)
        await bench.mine.acquire()
        await bench.mine.addPermits(1)
        expect(await bench.ask('PTTL')).toBeGreaterThan(0)
        await eventually(async () => (await bench.ask('EXISTS')) === 0)
        expect(await counts()).toEqual([0, 0, 0])
      },
    )

    it('are removed with the semaphore, those that are lent as well', async () => {
      expect(await bench.mine.delete()).toBe(false)
      await bench.mine.trySetPermits(2)
      const id = await bench.mine.acquire()
      expect(await bench.theirs.delete()).toBe(true)
      expect(await bench.mine.tryRelease(id)).toBe(false)
      expect(await counts()).toEqual([0, 0, 0])
    })
  })

  describe('a lease', () => {
    it('can be made longer or shorter (edge 99)', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      expect(await bench.mine.updateLeaseTime(unknown, 1_000)).toBe(false)
      const id = await bench.mine.acquire(60)
      expect(await bench.theirs.updateLeaseTime(id, 60_000)).toBe(true)
      await sleep(90)
      expect(await bench.theirs.acquiredPermits()).toBe(1)
      expect(await bench.mine.updateLeaseTime(id, 30)).toBe(true)
      await eventually(async () => (await bench.theirs.availablePermits()) === 1)
      expect(await bench.mine.updateLeaseTime(id, 1_000)).toBe(false)
      await remove()
    })

    it('tells how long it lasts (edge 104)', async () => {
      await bench.mine.trySetPermits(2)
      await expect(bench.mine.getLeaseTime(unknown)).rejects.toBeInstanceOf(PermitNotHeldError)
      const forEver = await bench.mine.acquire()
      expect(await bench.mine.getLeaseTime(forEver)).toBe(-1)
      const leased = await bench.mine.acquire(60_000)
      const leftMs = await bench.theirs.getLeaseTime(leased)
      expect(leftMs).toBeLessThanOrEqual(60_000)
      expect(leftMs).toBeGreaterThan(50_000)
      await remove()
    })

    it('uses the server’s clock, and not that of this machine (S-17)', async () => {
      await bench.mine.trySetPermits(1)
      const now = Date.now.bind(Date)
      Date.now = () => now() + 3_600_000
      try {
        const id = await bench.mine.acquire(60_000)
        expect(await bench.mine.getLeaseTime(id)).toBeLessThanOrEqual(60_000)
        expect(await bench.mine.acquiredPermits()).toBe(1)
      } finally {
        Date.now = now
      }
      await remove()
    })

    it('that was over before the answer came is not handed out', async () => {
      await bench.mine.trySetPermits(1)
      await expect(bench.mine.acquire(1)).rejects.toMatchObject({ code: 'PERMIT_LOST', reason: 'expired' })
      await eventually(async () => (await bench.mine.availablePermits()) === 1)
      await remove()
    })
  })

  describe('waiting for its permits', () => {
    it.each(['the same client', 'another client'])('ends when %s gives one back', async (whose) => {
      await bench.mine.trySetPermits(1)
      const id = await bench.mine.acquire()
      const waiting = bench.mine.acquire()
      await untilAwaited(topology, bench.mine.name)
      await (whose === 'another client' ? bench.theirs : bench.mine).release(id)
      await bench.mine.release(await waiting)
      await remove()
    })

    it('ends when the lease of another ends, without a word (edge 98)', async () => {
      await bench.mine.trySetPermits(1)
      const startedAt = performance.now()
      const id = await takeBriefly(() => bench.theirs.acquire(400))
      const next = await bench.mine.acquire()
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(398)
      expect(await bench.theirs.tryRelease(id)).toBe(false)
      await bench.mine.release(next)
      await remove()
    })

    it('for four ends when they come in any split (T-10)', async () => {
      await bench.mine.trySetPermits(4)
      const ids = await bench.theirs.acquireMany(4)
      const waiting = bench.mine.acquireMany(4)
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.release(ids.slice(0, 1))
      await bench.theirs.release(ids.slice(1))
      expect((await waiting).length).toBe(4)
      await remove()
    })

    it('of several ends for all of them when one message brings enough (T-10)', async () => {
      const waiting = [1, 2, 1].map((permits) => bench.mine.acquireMany(permits))
      await untilAwaited(topology, bench.mine.name)
      await bench.theirs.trySetPermits(4)
      const ids = (await Promise.all(waiting)).flat()
      expect(new Set(ids).size).toBe(4)
      await remove()
    })

    it('by two who both want all ends for both (edge 106)', async () => {
      await bench.mine.trySetPermits(2)
      const visit = async (semaphore: RPermitExpirableSemaphore) => {
        const ids = await semaphore.tryAcquireMany(2, { waitMs: 5_000 })
        await sleep(50)
        await semaphore.release(ids ?? [])
      }
      await Promise.all([visit(bench.mine), visit(bench.theirs), visit(bench.mine)])
      expect(await counts()).toEqual([2, 0, 2])
      await remove()
    })

    it('lasts for its time limit, and takes nothing then', async () => {
      const startedAt = performance.now()
      expect(await bench.mine.tryAcquire(150)).toBeUndefined()
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149)
      await eventually(async () => (await channelsOf(topology)).length === 0)
      await bench.mine.trySetPermits(1)
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('ends with the client', async () => {
      const client = await Redisson.create(topology.options())
      const outcomes = Promise.allSettled([bench.of(client).acquire(), bench.of(client).acquirePermit()])
      await untilAwaited(topology, bench.mine.name)
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
    })
  })

  describe('aborting a request for its permits', () => {
    it('that has not been made sends nothing', async () => {
      const signal = AbortSignal.abort(reason)
      for (const ask of [
        () => bench.mine.acquire({ signal }),
        () => bench.mine.tryAcquireMany(2, { signal, waitMs: 100 }),
        () => bench.mine.acquirePermit({ signal }),
      ]) {
        expect(await bench.refusal(ask)).toBe(reason)
      }
    })

    it('that waits ends the waiting', async () => {
      const abort = new AbortController()
      const waiting = bench.mine.acquire({ signal: abort.signal })
      await untilAwaited(topology, bench.mine.name)
      abort.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      await bench.mine.trySetPermits(1)
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('at any moment loses no permit and leaves no caller waiting', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(2)
      const resource = new LimitedResource(2)
      const outcomes = { taken: 0, aborted: 0 }
      const cycle = async (semaphore: RPermitExpirableSemaphore) => {
        const signal = AbortSignal.timeout(Math.floor(Math.random() * 5))
        let id: string
        try {
          id = await semaphore.acquire({ signal })
        } catch (error) {
          expect(error).toBe(signal.reason)
          outcomes.aborted += 1
          return
        }
        outcomes.taken += 1
        await resource.use(() => sleep(1))
        await semaphore.release(id)
      }
      for (let round = 0; round < 60; round += 1) {
        await Promise.all([1, 2, 3, 4, 5, 6].map((each) => cycle(each % 2 === 0 ? bench.mine : bench.theirs)))
      }
      expect(outcomes.taken).toBeGreaterThan(0)
      expect(outcomes.aborted).toBeGreaterThan(0)
      // What was given up on the way may still arrive, and is given back then.
      await eventually(async () => expect(await counts()).toEqual([2, 0, 2]))
      await remove()
    })
  })

  describe('a permit that this process looks after', () => {
    it('is renewed for as long as it is held, and given back once', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const hold = await watched().acquirePermit()
      expect(await bench.theirs.getLeaseTime(hold.id)).toBeLessThanOrEqual(WATCHDOG_MS)
      await sleep(WATCHDOG_MS * 1.3)
      expect([hold.isHeld, hold.signal.aborted]).toEqual([true, false])
      expect(await counts()).toEqual([0, 1, 1])
      await hold.release()
      expect(hold.isHeld).toBe(false)
      await expect(hold.release()).rejects.toBeInstanceOf(PermitNotHeldError)
      expect(hold.signal.aborted).toBe(false)
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('is not renewed if it was given a lease', async () => {
      await bench.mine.trySetPermits(1)
      const hold = await takeBriefly(() => bench.mine.acquirePermit({ leaseMs: 200 }))
      await eventually(() => hold.signal.aborted)
      expect(hold.signal.reason).toBeInstanceOf(PermitLostError)
      expect(hold.signal.reason).toMatchObject({ id: hold.id, semaphore: bench.name, reason: 'expired' })
      expect(hold.signal.reason).toMatchObject({ leaseMs: 200 })
      expect(String(hold.signal.reason)).toContain('was lost: its lease of 200 ms ended')
      expect(hold.isHeld).toBe(false)
      await eventually(async () => (await bench.theirs.availablePermits()) === 1)
      await expect(hold.release()).rejects.toMatchObject({
        code: 'PERMIT_NOT_HELD',
        cause: hold.signal.reason as Error,
      })
      await remove()
    })

    it('is lost by the clock even while the event loop is blocked', async () => {
      await bench.mine.trySetPermits(1)
      const hold = await takeBriefly(() => bench.mine.acquirePermit({ leaseMs: 100 }))
      const { signal } = hold
      standStill(120)
      expect(signal.aborted).toBe(true)
      expect(() => {
        signal.throwIfAborted()
      }).toThrow(PermitLostError)
      await remove()
    })

    it('is lost when Redis says that it is not lent', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const hold = await watched().acquirePermit()
      const { signal } = hold
      expect(await bench.theirs.tryRelease(hold.id)).toBe(true)
      await eventually(() => signal.aborted)
      expect(signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'not-held' })
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('is lost when the client is shut down, and comes back by itself', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const client = await Redisson.create({ ...topology.options(), lockWatchdogTimeout: 300 })
      const hold = await bench.of(client).acquirePermit()
      await client.shutdown()
      expect(hold.signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'closed' })
      await eventually(async () => (await bench.mine.availablePermits()) === 1)
      await remove()
    })

    it('is given back at the end of a block, even if it was lost', async () => {
      await bench.mine.trySetPermits(2)
      {
        await using _hold = await bench.mine.acquirePermit()
        await using lost = await bench.mine.acquirePermit()
        await bench.mine.release(lost.id)
        expect(await counts()).toEqual([1, 1, 2])
      }
      expect(await counts()).toEqual([2, 0, 2])
      await remove()
    })

    it('is tried for', async () => {
      await bench.mine.trySetPermits(1)
      const hold = await bench.mine.tryAcquirePermit()
      expect(await bench.theirs.tryAcquirePermit()).toBeUndefined()
      const waiting = bench.theirs.tryAcquirePermit({ waitMs: 10_000 })
      await untilAwaited(topology, bench.mine.name)
      await hold?.release()
      await (await waiting)?.release()
      await remove()
    })
  })

  describe('the lease of a permit that this process looks after', () => {
    /** Waits until another client has the permit, and demands that its holder knew before. */
    const demandKnown = async (hold: PermitHold) => {
      const known = await eventually(
        async () => (await bench.theirs.tryAcquire()) !== undefined && [hold.isHeld],
      )
      expect(known).toEqual([false])
    }

    it.each([60_000, undefined])('of %s ms follows updateLeaseTime() to a shorter time', async (leaseMs) => {
      await bench.mine.trySetPermits(1)
      const hold = await bench.mine.acquirePermit(leaseMs === undefined ? {} : { leaseMs })
      expect(await bench.mine.updateLeaseTime(hold.id.toUpperCase(), 150)).toBe(true)
      await demandKnown(hold)
      expect(hold.signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'expired' })
      await remove()
    })

    it(
      'follows updateLeaseTime() to a longer time, at which no watchdog is needed',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetPermits(2)
        const fixed = await watched().acquirePermit({ leaseMs: 1_000 })
        const renewed = await watched().acquirePermit()
        for (const { id } of [fixed, renewed]) expect(await watched().updateLeaseTime(id, 60_000)).toBe(true)
        await sleep(WATCHDOG_MS * 1.2)
        expect([fixed.isHeld, renewed.isHeld]).toEqual([true, true])
        expect(await bench.theirs.getLeaseTime(renewed.id)).toBeGreaterThan(50_000)
        await fixed.release()
        await renewed.release()
        await remove()
      },
    )

    /** Has Redis lend a permit for longer than its holder knows. */
    const outliveItsHolder = async (hold: PermitHold) => {
      expect(await bench.theirs.updateLeaseTime(hold.id, 60_000)).toBe(true)
      await eventually(() => Promise.resolve(hold.signal.aborted))
      expect(await bench.theirs.acquiredPermits()).toBe(1)
    }

    it(
      'that was over by the clock of its holder has withPermit() reject, though Redis still lends it',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetPermits(1)
        const section = bench.mine.withPermit(outliveItsHolder, { leaseMs: 1_000 })
        await expect(section).rejects.toMatchObject({ code: 'PERMIT_LOST', reason: 'expired' })
        expect(await bench.theirs.availablePermits()).toBe(1)
        await remove()
      },
    )

    it.each([undefined, 60_000])(
      'that another client has ended has withPermit() reject (lease %s)',
      async (leaseMs) => {
        await bench.mine.trySetPermits(1)
        const section = bench.mine.withPermit(
          async (hold) => {
            await bench.theirs.release(hold.id)
            expect(hold.isHeld).toBe(true)
          },
          leaseMs === undefined ? {} : { leaseMs },
        )
        await expect(section).rejects.toMatchObject({
          code: 'PERMIT_LOST',
          reason: 'not-held',
          leaseMs: undefined,
        })
        expect(await bench.theirs.availablePermits()).toBe(1)
        await remove()
      },
    )

    it(
      'that was over by the clock of its holder has release() reject, which gives it back all the same',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetPermits(1)
        const hold = await bench.mine.acquirePermit({ leaseMs: 1_000 })
        await outliveItsHolder(hold)
        await expect(hold.release()).rejects.toMatchObject({
          code: 'PERMIT_NOT_HELD',
          cause: { code: 'PERMIT_LOST', reason: 'expired' },
        })
        expect(await bench.theirs.availablePermits()).toBe(1)
        await remove()
      },
    )

    it(
      'makes withPermit() reject when it was lost, with any result of the function',
      { tags: ['timed'] },
      async () => {
        await bench.mine.trySetPermits(1)
        const section = bench.mine.withPermit(
          async (hold) => {
            await outliveItsHolder(hold)
            await hold.release().catch(() => undefined)
          },
          { leaseMs: 1_000 },
        )
        await expect(section).rejects.toMatchObject({ code: 'PERMIT_LOST', reason: 'expired' })
        await remove()
      },
    )

    it('counts as over when updateLeaseTime() finds that the permit is not lent', async () => {
      await bench.mine.trySetPermits(1)
      const hold = await bench.mine.acquirePermit()
      await bench.theirs.release(hold.id)
      expect(await bench.mine.updateLeaseTime(hold.id, 60_000)).toBe(false)
      expect(hold.signal.reason).toMatchObject({ code: 'PERMIT_LOST', reason: 'not-held' })
      await remove()
    })

    it('is not touched by the same id at another semaphore', async () => {
      await bench.mine.trySetPermits(1)
      const hold = await bench.mine.acquirePermit()
      expect(await bench.of(bench.clients[0], 'nowhere').updateLeaseTime(hold.id, 1)).toBe(false)
      expect(hold.isHeld).toBe(true)
      await hold.release()
      await remove()
    })

    it('is over when this client gives the permit back by its id, or removes the semaphore', async () => {
      await bench.mine.trySetPermits(2)
      const [one, other] = [await bench.mine.acquirePermit(), await bench.mine.acquirePermit()]
      await bench.mine.release(one.id)
      expect([one.isHeld, other.isHeld]).toEqual([false, true])
      await remove()
      expect(other.isHeld).toBe(false)
    })

    it('is extended, and never made shorter', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const hold = await bench.mine.acquirePermit({ leaseMs: 500 })
      await hold.extend(60_000)
      await hold.extend(100)
      await sleep(600)
      expect(hold.isHeld).toBe(true)
      expect(await bench.theirs.getLeaseTime(hold.id)).toBeGreaterThan(50_000)
      await hold.release()
      await remove()
    })

    it('is extended beyond what the watchdog gives, which goes on with it', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const hold = await watched().acquirePermit()
      await hold.extend(WATCHDOG_MS * 1.5)
      expect(await bench.theirs.getLeaseTime(hold.id)).toBeGreaterThan(WATCHDOG_MS)
      await sleep(WATCHDOG_MS * 2)
      expect(hold.isHeld).toBe(true)
      await hold.release()
      await remove()
    })

    it('is handed to the watchdog by extend()', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(1)
      const hold = await watched().acquirePermit({ leaseMs: 1_000 })
      await hold.extend()
      await sleep(WATCHDOG_MS * 1.5)
      expect(hold.isHeld).toBe(true)
      expect(await counts()).toEqual([0, 1, 1])
      await hold.release()
      await remove()
    })

    it('cannot be extended any more once it is lost or given back', async () => {
      await bench.mine.trySetPermits(3)
      const over = await takeBriefly(() => bench.mine.acquirePermit({ leaseMs: 50 }))
      await eventually(() => over.signal.aborted)
      await expect(over.extend(1_000)).rejects.toBe(over.signal.reason)
      const taken = await bench.mine.acquirePermit()
      await bench.theirs.release(taken.id)
      await expect(taken.extend()).rejects.toMatchObject({ code: 'PERMIT_LOST', reason: 'not-held' })
      expect(taken.isHeld).toBe(false)
      const givenBack = await bench.mine.acquirePermit()
      await givenBack.release()
      await expect(givenBack.extend(1_000)).rejects.toBeInstanceOf(PermitNotHeldError)
      await remove()
    })

    it.each([0, -1, NaN, Infinity, 'a minute', 2 ** 60] as number[])(
      'is not extended by %s',
      async (leaseMs) => {
        await bench.mine.trySetPermits(1)
        const hold = await bench.mine.acquirePermit({ leaseMs: 60_000 })
        expect(await bench.refusal(() => hold.extend(leaseMs))).toBeInstanceOf(RangeError)
        await hold.release()
        await remove()
      },
    )
  })

  describe('withPermit()', () => {
    it('releases the permit, with any result of the function', async () => {
      await bench.mine.trySetPermits(1)
      const seen = await bench.mine.withPermit(async (hold) => [hold.isHeld, await counts()])
      expect(seen).toEqual([true, [0, 1, 1]])
      const error = new Error('of the function')
      await expect(bench.mine.withPermit(() => Promise.reject(error))).rejects.toBe(error)
      await bench.mine.withPermit((hold) => hold.release())
      expect(await counts()).toEqual([1, 0, 1])
      await remove()
    })

    it('says so if the permit was lost meanwhile, or none was there in time', async () => {
      await bench.mine.trySetPermits(1)
      const late = bench.mine.withPermit(() => sleep(120), { leaseMs: 60 })
      await expect(late).rejects.toBeInstanceOf(PermitLostError)
      const refused = bench.of(bench.clients[1], 'nowhere').withPermit(() => 'ran', { waitMs: 300 })
      await expect(refused).rejects.toBeInstanceOf(PermitTimeoutError)
      await remove()
    })

    it('lets no more in than there are permits, from whichever client', async () => {
      await bench.mine.trySetPermits(3)
      const resource = new LimitedResource(3)
      const visit = (semaphore: RPermitExpirableSemaphore) =>
        semaphore.withPermit(() => resource.use(() => sleep(1)))
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => visit(index % 2 === 0 ? bench.mine : bench.theirs)),
      )
      expect(resource.entries).toBe(60)
      expect(await counts()).toEqual([3, 0, 3])
      await remove()
    })

    it('renews many permits at once', { tags: ['timed'] }, async () => {
      await bench.mine.trySetPermits(150)
      const holds: PermitHold[] = await Promise.all(
        Array.from({ length: 150 }, () => watched().acquirePermit()),
      )
      await sleep(WATCHDOG_MS * 1.2)
      expect(holds.every(({ isHeld }) => isHeld)).toBe(true)
      expect(await counts()).toEqual([0, 150, 150])
      await watched().release(holds.map(({ id }) => id))
      await Promise.all(holds.map((hold) => hold[Symbol.asyncDispose]()))
      await remove()
    })
  })

  describe('asking it for nonsense', () => {
    type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

    it.each<[string, unknown[], ErrorConstructor, string]>([
      ['acquire', [NaN], RangeError, 'Expected `leaseMs` to be a number of milliseconds, got NaN'],
      [
        'acquire',
        [null],
        TypeError,
        'Expected the options to be an object or a number of milliseconds, got null',
      ],
      ['acquireMany', [0], RangeError, 'Expected `permits` to be a whole number, 1 or more, got 0'],
      ['acquireMany', [1.5], RangeError, 'Expected `permits` to be a whole number, 1 or more, got 1.5'],
      [
        'tryAcquire',
        ['1'],
        TypeError,
        'Expected the options to be an object or a number of milliseconds, got a string of 1 character',
      ],
      [
        'tryAcquire',
        [1, Infinity],
        RangeError,
        'Expected `leaseMs` to be a number of milliseconds, got Infinity',
      ],
      ['acquirePermit', [{ signal: 1 }], TypeError, 'Expected `signal` to be an AbortSignal, got 1'],
      [
        'release',
        ['x'],
        TypeError,
        'Expected the id of a permit to be 32 hexadecimal digits, got a string of 1 character',
      ],
      ['release', [[]], TypeError, 'Expected the id of a permit, or a list of some, got []'],
      [
        'release',
        [new Array<string>(2)],
        TypeError,
        'Expected the id of a permit to be 32 hexadecimal digits, got undefined',
      ],
      ['tryRelease', [null], TypeError, 'Expected the id of a permit, or a list of some, got null'],
      [
        'tryRelease',
        [[unknown, 7]],
        TypeError,
        'Expected the id of a permit to be 32 hexadecimal digits, got 7',
      ],
      [
        'getLeaseTime',
        [undefined],
        TypeError,
        'Expected the id of a permit to be 32 hexadecimal digits, got undefined',
      ],
      [
        'updateLeaseTime',
        [unknown, 0],
        RangeError,
        'Expected `leaseMs` to be more than 0 milliseconds, got 0',
      ],
      ['trySetPermits', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
      ['setPermits', [-1], RangeError, 'Expected `permits` to be a whole number, 0 or more, got -1'],
      [
        'addPermits',
        ['1'],
        RangeError,
        'Expected `permits` to be a whole number, got a string of 1 character',
      ],
      ['withPermit', [1], TypeError, 'Expected `fn` to be a function, got 1'],
    ])('%s(…%o) is refused, and nothing is sent', async (method, args, kind, message) => {
      const semaphore = bench.mine as unknown as Untyped
      const error = await bench.refusal(() => semaphore[method]?.(...args) ?? Promise.resolve())
      expect(error).toBeInstanceOf(kind)
      expect(error.message).toBe(message)
    })
  })

  it.each<[string, (semaphore: RPermitExpirableSemaphore) => Promise<unknown>]>([
    ['acquire', (semaphore) => semaphore.acquire()],
    ['tryAcquire', (semaphore) => semaphore.tryAcquire(15_000)],
    ['acquirePermit', (semaphore) => semaphore.acquirePermit()],
    ['tryRelease', (semaphore) => semaphore.tryRelease(unknown)],
    ['availablePermits', (semaphore) => semaphore.availablePermits()],
    ['getPermits', (semaphore) => semaphore.getPermits()],
    ['trySetPermits', (semaphore) => semaphore.trySetPermits(1)],
    ['setPermits', (semaphore) => semaphore.setPermits(1)],
    ['addPermits', (semaphore) => semaphore.addPermits(1)],
    ['updateLeaseTime', (semaphore) => semaphore.updateLeaseTime(unknown, 100)],
    ['getLeaseTime', (semaphore) => semaphore.getLeaseTime(unknown)],
    ['delete', (semaphore) => semaphore.delete()],
  ])(
    '%s() of a name that belongs to something else rejects and changes nothing (T-30)',
    async (_, operate) => {
      await bench.ask('HSET', 'field', 'value')
      await expect(operate(bench.mine)).rejects.toBeInstanceOf(WrongTypeError)
      expect(await bench.ask('HGETALL')).toEqual(['field', 'value'])
      await bench.ask('DEL')
    },
  )

  it('lives under the name that the nameMapper makes of its own (edge 108)', async () => {
    const client = await Redisson.create({ ...topology.options(), nameMapper: (name) => `shop:${name}` })
    const mapped = bench.of(client)
    expect(mapped.name).toBe(bench.name)
    await mapped.trySetPermits(1)
    const hold = await mapped.acquirePermit()
    expect(await bench.of(bench.clients[0], `shop:${bench.name}`).getLeaseTime(hold.id)).toBeGreaterThan(0)
    await hold.release()
    await mapped.delete()
    await client.shutdown()
  })
})
