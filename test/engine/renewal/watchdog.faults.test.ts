import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LockLostEvent } from '../../../src/api/events.js'
import type { LockHold, RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { relet, renew } from '../../../src/locks/reentrant/lock.scripts.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { randomNumbers } from '../../support/random.js'
import { single } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'
import { standStill } from '../../support/stand-still.js'

const WATCHDOG_MS = 600
const PERIOD_MS = WATCHDOG_MS / 3

describe('the watchdog', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let lost: LockLostEvent[] = []
  let names = 0

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create({
      ...door.options({ timeout: 300, retryDelay: 20, retryAttempts: 20, reconnectionDelay: 10 }),
      lockWatchdogTimeout: WATCHDOG_MS,
    })
    client.on('lockLost', (event) => lost.push(event))
  })

  afterEach(async () => {
    lost = []
    await proxy().heal()
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const proxy = () => door.proxyOf(single.nodes[0])
  const freshLock = (): RLock => client.getLock(`watched-${String(names++)}`)
  const ttlOf = async (lock: RLock) => Number(await single.nodes[0].command('PTTL', lock.name))
  const countRenewals = () => {
    const seen: string[] = []
    proxy().onRequest(renew.sha, ({ request }) => void seen.push(request), { times: Infinity })
    return seen
  }

  it(
    'never outlives an unlock, in ten thousand cycles of taking, giving up and giving back (T-1)',
    { tags: ['timed'] },
    async () => {
      const random = randomNumbers(1)
      const locks = Array.from({ length: 20 }, (_, n) => client.getLock(`cycle-${String(n)}`))
      const resources = new Map(locks.map((lock) => [lock, new LimitedResource()]))
      const cycle = async () => {
        const lock = locks[Math.floor(random() * locks.length)] as RLock
        const giveUp = new AbortController()
        const timer = random() < 0.5 ? setTimeout(() => giveUp.abort(), random() * 4) : undefined
        const hold = await lock.acquire({ signal: giveUp.signal }).catch(() => undefined)
        clearTimeout(timer)
        if (hold === undefined) return
        await resources.get(lock)?.use(() => (random() < 0.3 ? sleep(random() * 3) : undefined))
        await hold.unlock()
      }
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          for (let n = 0; n < 100; n++) await cycle()
        }),
      )
      await eventually(async () =>
        (await Promise.all(locks.map((lock) => lock.isLocked()))).every((held) => !held),
      )
      const renewals = countRenewals()
      await sleep(2 * PERIOD_MS)
      expect(renewals).toEqual([])
      expect(await single.nodes[0].command('KEYS', 'cycle-*')).toEqual([])
    },
  )

  it(
    'renews until the last of several holds is given back, and then no more (T-2)',
    { tags: ['timed'] },
    async () => {
      const lock = freshLock()
      await client.runAsThread(async () => {
        for (let depth = 0; depth < 4; depth++) await lock.lock()
        for (let depth = 0; depth < 3; depth++) await lock.unlock()
        const renewals = countRenewals()
        await eventually(() => renewals.length >= 4)
        expect(await lock.getHoldCount()).toBe(1)
        await lock.unlock()
        renewals.length = 0
        await sleep(2 * PERIOD_MS)
        expect(renewals).toEqual([])
      })
      expect(lost).toEqual([])
    },
  )

  it(
    'goes on for the hold that needs it when a leased one is given back, and stops when only leased ones are left (T-2)',
    { tags: ['timed'] },
    async () => {
      const lock = freshLock()
      await client.runAsThread(async () => {
        await lock.lock()
        await lock.lock(60_000)
        await lock.unlock() // the leased one
        const renewals = countRenewals()
        await eventually(() => renewals.length >= 2)
        await lock.unlock()
        await lock.lock(60_000)
        await lock.lock()
        await lock.unlock() // the renewed one
        renewals.length = 0
        await sleep(2 * PERIOD_MS)
        expect(renewals).toEqual([])
        expect(await ttlOf(lock)).toBeGreaterThan(50_000)
        await lock.unlock()
      })
    },
  )

  it('survives a silence of one and a half periods (T-3)', { tags: ['timed'] }, async () => {
    const lock = freshLock()
    const hold = await lock.acquire()
    await sleep(PERIOD_MS / 2)
    proxy().stall()
    await sleep(1.5 * PERIOD_MS)
    proxy().resume()
    const renewals = countRenewals()
    await eventually(() => renewals.length >= 3)
    expect(hold.isHeld).toBe(true)
    expect(hold.signal.aborted).toBe(false)
    await hold.unlock()
    expect(lost).toEqual([])
  })

  it('survives broken connections in every period (T-3)', { tags: ['timed'] }, async () => {
    const hold = await freshLock().acquire()
    for (let turn = 0; turn < 4; turn++) {
      const { happened } = proxy().loseReplyTo(renew.sha)
      await happened
    }
    expect(hold.isHeld).toBe(true)
    await hold.unlock()
    expect(lost).toEqual([])
  })

  it('renews a hundred locks with one script', { tags: ['timed'] }, async () => {
    const holds = await Promise.all(Array.from({ length: 250 }, () => freshLock().acquire()))
    const renewals = countRenewals()
    await eventually(() => renewals.length >= 3)
    expect(renewals.slice(0, 3).map((request) => Number(request.split(' ')[2]))).toEqual([100, 100, 50])
    await Promise.all(holds.map((hold) => hold.unlock()))
  })

  it('renews no lock that has another owner (T-4)', { tags: ['timed'] }, async () => {
    const [lock, other] = [freshLock(), freshLock()]
    const [mine, kept] = [await lock.acquire(), await other.acquire()]
    await single.nodes[0].command('DEL', lock.name)
    await single.nodes[0].command('HSET', lock.name, 'a-dead-client:1', '1')
    await single.nodes[0].command('PEXPIRE', lock.name, WATCHDOG_MS)
    await eventually(async () => !(await lock.isLocked()), { withinMs: 2 * WATCHDOG_MS })
    expect(mine.isHeld).toBe(false)
    expect(kept.isHeld).toBe(true)
    await kept.unlock()
  })

  it(
    'never lets a lock end before what a hold was promised, however leases mix (T-5)',
    { tags: ['timed'] },
    async () => {
      const random = randomNumbers(5)
      const lock = freshLock()
      const SLACK_MS = 50 // what asking takes on a busy machine
      /** What each hold that stands was promised: a moment, or to be renewed a period before its end. */
      const demand = async (promised: readonly (number | 'renewed')[]) => {
        const leftMs = await ttlOf(lock)
        const now = performance.now()
        const needs = promised.map((until) => (until === 'renewed' ? WATCHDOG_MS - PERIOD_MS : until - now))
        expect(leftMs).toBeGreaterThan(Math.max(...needs) - SLACK_MS)
      }
      const flow = async () => {
        const promised: (number | 'renewed')[] = []
        const depth = 1 + Math.floor(random() * 4)
        for (let n = 0; n < depth; n++) {
          const leaseMs = random() < 0.5 ? 0 : 50 + Math.floor(random() * 1000)
          await lock.lock(leaseMs)
          promised.push(leaseMs === 0 ? 'renewed' : performance.now() + leaseMs)
          await demand(promised)
        }
        while (promised.length > 1) {
          if (random() < 0.2) await sleep(random() * 20)
          await lock.unlock()
          promised.pop()
          await demand(promised)
        }
        await lock.unlock()
      }
      const flows = Array.from({ length: 3 }, async () => {
        for (let round = 0; round < 15; round++) await client.runAsThread(flow)
      })
      await Promise.all(flows)
      expect(lost).toEqual([])
    },
  )

  it('does not shorten a lease that is longer than its own', async () => {
    const lock = freshLock()
    await client.runAsThread(async () => {
      await lock.lock(60_000)
      await lock.lock()
      const renewals = countRenewals()
      await eventually(() => renewals.length >= 2)
      expect(await ttlOf(lock)).toBeGreaterThan(50_000)
      await lock.unlock()
      await lock.unlock()
    })
  })

  it(
    'renews no member of a multi-lock while that is given a lease of its own, or afterwards',
    { tags: ['timed'] },
    async () => {
      const [member, witness] = [freshLock(), await freshLock().acquire()]
      const renewals = countRenewals()
      const ofMember = () => renewals.filter((request) => request.includes(` ${member.name} `))
      const ofWitness = () => renewals.filter((request) => request.includes(` ${witness.name} `)).length
      const { happened } = proxy().onReply(relet.sha, async () => {
        await eventually(() => ofMember().length > 0 || ofWitness() > 0)
      })
      const hold = await client.getMultiLock(member).acquire({ leaseMs: 60_000 })
      await happened
      await eventually(() => ofWitness() >= 3)
      expect(ofMember()).toEqual([])
      await hold.unlock()
      await witness.unlock()
    },
  )

  describe('of a lock whose answer came after its lease', () => {
    const acquireLate = async (options: { readonly leaseMs?: number }) => {
      proxy().stall('replies')
      const request = freshLock().acquire(options)
      await sleep(WATCHDOG_MS + 50)
      proxy().resume('replies')
      return request
    }

    it('lets the caller try again, who is handed nothing that is over', { tags: ['timed'] }, async () => {
      const hold = await acquireLate({})
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })

    it('leaves it at that where the caller wanted a lease of its own', async () => {
      await expect(acquireLate({ leaseMs: 100 })).rejects.toMatchObject({
        code: 'LOCK_LOST',
        reason: 'expired',
      })
    })
  })

  describe('says that a lock is lost (T-6)', () => {
    /** Resolves with the time that it took until the signal aborted. */
    const abortedAfter = async ({ signal }: LockHold): Promise<number> => {
      const startedAt = performance.now()
      await untilAborted(signal)
      return performance.now() - startedAt
    }

    it(
      'by the clock, when Redis stops replying, and before another owner can have it',
      { tags: ['timed'] },
      async () => {
        const hold = await freshLock().acquire()
        proxy().stall()
        const tookMs = await abortedAfter(hold)
        expect(tookMs).toBeLessThan(WATCHDOG_MS)
        expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
        expect(hold.isHeld).toBe(false)
        expect(lost.map(({ lock, reason }) => [lock, reason])).toEqual([[hold.name, 'expired']])
        proxy().resume()
        await hold.unlock().catch(() => undefined) // renewals that went through at last may have kept it
      },
    )

    it('by the clock, when a lease of its own ends', { tags: ['timed'] }, async () => {
      const hold = await freshLock().acquire({ leaseMs: 500 })
      const { signal } = hold
      await sleep(500) // a timer from after the answer, so that a busy machine holds up both
      expect(signal.aborted).toBe(true)
      expect(hold.signal.reason).toMatchObject({ reason: 'expired' })
    })

    it('by the word of Redis, when the lock is gone', { tags: ['timed'] }, async () => {
      const hold = await freshLock().acquire()
      await single.nodes[0].command('DEL', hold.name)
      await untilAborted(hold.signal)
      expect(hold.signal.reason).toMatchObject({ reason: 'not-held' }) // and not by the clock
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD', cause: hold.signal.reason })
    })

    it('at once, when it is forced in this process', { tags: ['timed'] }, async () => {
      const lock = freshLock()
      const hold = await lock.acquire()
      await lock.forceUnlock()
      expect(hold.signal.reason).toMatchObject({ reason: 'forced' })
      expect(lost.map(({ owner }) => owner)).toEqual([hold.owner])
    })

    it('before the code goes on that comes after a blocked event loop', async () => {
      const hold = await freshLock().acquire()
      const { signal } = hold
      standStill(WATCHDOG_MS + 50)
      await Promise.resolve()
      expect(signal.aborted).toBe(true)
      expect(() => signal.throwIfAborted()).toThrow(expect.objectContaining({ code: 'LOCK_LOST' }))
      expect(hold.isHeld).toBe(false)
    })
  })
})
