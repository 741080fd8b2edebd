import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient, RLock } from '../../../src/index.js'
import { Redisson } from '../../../src/index.js'
import * as fair from '../../../src/locks/fair/fair-lock.scripts.js'
import * as fenced from '../../../src/locks/fenced/fenced-lock.scripts.js'
import * as plain from '../../../src/locks/reentrant/lock.scripts.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { eventually } from '../../support/eventually.js'
import { strike, type Fault } from '../../support/faults.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { inTime } from '../../support/in-time.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, single } from '../../support/topologies.js'

/** No test waits for that timeout: it is long enough for a busy machine. */
const SETTINGS = { timeout: 2_000, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 1 }

/** Far longer than any test: what it leaves taken stays taken. */
const LEASE_MS = 3_600_000

const kinds: readonly (readonly [
  string,
  { acquire: string; takeOver: string },
  (client: RedissonClient, name: string) => RLock,
])[] = [
  [
    'a lock',
    { acquire: plain.acquire.sha, takeOver: plain.takeOver.sha },
    (client, name) => client.getLock(name),
  ],
  [
    'a fenced lock',
    { acquire: fenced.acquire.sha, takeOver: fenced.takeOver.sha },
    (client, name) => client.getFencedLock(name),
  ],
  [
    'a non-reentrant lock',
    { acquire: plain.acquireOnce.sha, takeOver: plain.takeOver.sha },
    (client, name) => client.getNonReentrantLock(name),
  ],
  [
    'a fair lock',
    { acquire: fair.acquire.sha, takeOver: fair.takeOver.sha },
    (client, name) => client.getFairLock(name),
  ],
  [
    'a non-reentrant fair lock',
    { acquire: fair.acquireOnce.sha, takeOver: fair.takeOver.sha },
    (client, name) => client.getNonReentrantFairLock(name),
  ],
]

describe.each([
  ['a single server', single],
  ['a cluster', cluster],
] as const)('a waiter that takes a lock over inside the process, over %s', (_, topology) => {
  describe.each(kinds)('from the holder of %s', (_kind, { acquire, takeOver }, lockOf) => {
    let door: Proxied<typeof topology>
    let client: RedissonClient
    let other: RedissonClient
    let lock: RLock
    let theirs: RLock
    let names = 0

    noLeaks(topology, { keeps: /redisson_lock_token:/ })

    beforeAll(async () => {
      other = await Redisson.create(topology.options({}))
    })

    beforeEach(async () => {
      door = await proxied(topology)
      client = await Redisson.create(door.options(SETTINGS))
      const name = `take-over-${String(names++)}`
      lock = lockOf(client, name)
      theirs = lockOf(other, name)
      await lock.lock() // so that the server knows the scripts
      await lock.unlock()
    })

    afterEach(async () => {
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await client.shutdown()
      await door.stop()
    })

    afterAll(() => other.shutdown())

    /** Resolves when a holder and a waiter have been answered, and the waiter sleeps. */
    const untilAsleep = async () => {
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      let replies = 0
      const count = () => {
        replies += 1
        if (replies === 2) resolve()
      }
      for (const proxy of door.proxies) proxy.onReply(acquire, count, { times: 2 })
      await answered
      await lock.isLocked() // replies arrive in order
    }

    /**
     * Has a holder release the lock while a waiter sleeps, and strikes the request by which the waiter takes it over.
     *
     * On a busy machine the holder may have had the lock for longer than a tenure, and then it is tried again.
     */
    const release = async (fault: Fault, waitAs: (signal: AbortSignal) => Promise<unknown> = waitFor) => {
      for (;;) {
        const giveUp = new AbortController()
        const asleep = untilAsleep()
        const holder = await lock.acquire({ leaseMs: LEASE_MS })
        const waiting = waitAs(giveUp.signal)
        await asleep
        const { struck } = strike(door.proxies, takeOver, fault)
        const unlocked = holder.unlock()
        const first = await Promise.race([
          struck.then(() => 'struck'),
          unlocked.then(
            () => 'unlocked',
            () => 'unlocked',
          ),
        ])
        if (first === 'struck') return { giveUp, waiting, unlocked }
        await waiting
        await lock.forceUnlock()
        for (const proxy of door.proxies) await proxy.heal()
      }
    }

    const waitFor = (signal: AbortSignal) => lock.acquire({ leaseMs: LEASE_MS, signal })

    /** Holds a request up until it is let go. */
    const holdUp = (moment: Fault[1]) => {
      const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
      return { fault: ['is held up', moment, () => over] as Fault, letGo }
    }

    const demandFree = async () => {
      await eventually(async () => !(await theirs.isLocked()), { what: 'the lock to be free' })
    }

    it('whose lease is over before the lost reply is asked for again, leaves the holder without an error', async () => {
      const late: Fault = ['is lost late', 'reply', (passing) => sleep(100).then(() => passing.cut())]
      const waitBriefly = (signal: AbortSignal) =>
        lock.acquire({ leaseMs: 50, signal }).catch(() => undefined) // its lease is too short for this network
      const { unlocked } = await release(late, waitBriefly)
      await unlocked
      await demandFree()
    })

    it('for a shorter lease than the holder had, has waiters of other processes know that', async () => {
      const asleep = untilAsleep()
      const holder = await lock.acquire({ leaseMs: LEASE_MS })
      const heir = takeBriefly(() => lock.acquire({ leaseMs: 300 }))
      await asleep
      const next = theirs.withLock(() => undefined)
      await sleep(20) // it reads the long lease, and a tenure is longer than that
      await holder.unlock()
      const forgetful = await heir
      await next // and not until the long lease ends
      await forgetful[Symbol.asyncDispose]()
      expect(forgetful.isHeld).toBe(false)
    })

    describe.each(['request', 'reply'] as const)('and gives up while its %s is under way', (moment) => {
      it('leaves the lock free', async () => {
        const { fault, letGo } = holdUp(moment)
        const { giveUp, waiting, unlocked } = await release(fault)
        giveUp.abort(new Error('enough'))
        await expect(waiting).rejects.toThrow('enough')
        letGo()
        await unlocked
        await demandFree()
      })

      it('and asks again as the same thread, holds what it then gets', async () => {
        const { fault, letGo } = holdUp(moment)
        const again = Promise.withResolvers<void>()
        let inside: Promise<void> | undefined
        const asThread = async (signal: AbortSignal) => {
          const asked = Promise.withResolvers<unknown>()
          inside = client.runAsThread(async () => {
            const first = lock.lock({ leaseMs: LEASE_MS, signal })
            first.then(asked.resolve, asked.reject)
            await again.promise
            await lock.lock({ leaseMs: LEASE_MS })
            await lock.getHoldCount() // what was on its way before has arrived
            expect(await theirs.tryLock()).toBe(false)
            expect(await lock.getHoldCount()).toBe(1)
            await lock.unlock()
          })
          return await asked.promise
        }
        const { giveUp, waiting, unlocked } = await release(fault, asThread)
        giveUp.abort(new Error('enough'))
        await expect(waiting).rejects.toThrow('enough')
        again.resolve()
        letGo()
        await Promise.all([inside, unlocked])
        await demandFree()
      })
    })

    it('leaves it free when it gives up, the reply is lost, and the network is away for a while', async () => {
      const goAway = () => {
        for (const proxy of door.proxies) {
          proxy.refuse()
          proxy.cut()
        }
      }
      const { giveUp, waiting, unlocked } = await release(['loses its reply', 'reply', goAway])
      giveUp.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await sleep(500)
      await Promise.all(door.proxies.map((proxy) => proxy.accept()))
      await unlocked.catch(() => undefined)
      await demandFree()
    })

    it('leaves it free when the client is shut down meanwhile', async () => {
      const { fault, letGo } = holdUp('request')
      const { waiting, unlocked } = await release(fault)
      const outcome = waiting.catch((error: unknown) => error)
      const down = client.shutdown()
      letGo()
      expect(await outcome).toMatchObject({ code: 'CLOSED' })
      await Promise.all([unlocked, down])
      await demandFree()
    })

    it('gets it though the holder had it taken away, and the holder hears of that', async () => {
      const { fault, letGo } = holdUp('request')
      const { waiting, unlocked } = await release(fault)
      expect(await theirs.forceUnlock()).toBe(true)
      letGo()
      await expect(unlocked).rejects.toMatchObject({ code: 'NOT_HELD' })
      await waiting
      await lock.forceUnlock()
    })
  })
})

describe(
  'threads that ask again and again for a moment each, over a network that is slow',
  { tags: ['full'] },
  () => {
    let door: Proxied<typeof single>
    let client: RedissonClient

    noLeaks(single)

    beforeAll(async () => {
      door = await proxied(single)
      for (const proxy of door.proxies) proxy.delay(1)
      client = await Redisson.create(door.options({}))
    })

    afterAll(async () => {
      await client.shutdown()
      await door.stop()
    })

    it('are inside one at a time', async () => {
      const resource = new LimitedResource()
      let turns = 0
      const flow = async (asThread: boolean) => {
        const lock = client.getLock('moments')
        const once = async () => {
          if (!(await inTime(lock.tryLock(2 + Math.random() * 4)))) return
          await resource.use(() => sleep(Math.random() * 3))
          turns += 1
          await lock.unlock()
        }
        const loop = async () => {
          while (turns < 300) await once()
        }
        await (asThread ? client.runAsThread(loop) : loop())
      }
      await Promise.all([flow(true), flow(true), flow(false)])
      expect(resource.entries).toBe(turns)
    })
  },
)
