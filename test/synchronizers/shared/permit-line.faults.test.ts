import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import * as permitScripts from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import * as semaphoreScripts from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { faultsFor, strike, type Fault } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { randomNumbers } from '../../support/random.js'
import { topologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

interface Wish {
  readonly permits?: number
  readonly signal?: AbortSignal
  readonly waitMs?: number
}

interface Clients {
  readonly taker: RedissonClient
  readonly giver: RedissonClient
}

/** What both kinds have in common. Who takes permits gets a function that has another client give them back. */
interface Kind {
  readonly what: string
  readonly acquire: string
  readonly set: (client: RedissonClient, name: string, permits: number) => Promise<unknown>
  readonly take: (clients: Clients, name: string, wish?: Wish) => Promise<(() => Promise<void>) | undefined>
  readonly free: (client: RedissonClient, name: string) => Promise<number>
  readonly remove: (client: RedissonClient, name: string) => Promise<unknown>
}

const kinds: readonly Kind[] = [
  {
    what: 'a semaphore',
    acquire: semaphoreScripts.acquire.sha,
    set: (client, name, permits) => client.getSemaphore(name).trySetPermits(permits),
    take: async ({ taker, giver }, name, { permits = 1, waitMs = 60_000, ...rest } = {}) => {
      const taken = await taker.getSemaphore(name).tryAcquire({ permits, waitMs, ...rest })
      return taken ? () => giver.getSemaphore(name).release(permits) : undefined
    },
    free: (client, name) => client.getSemaphore(name).availablePermits(),
    remove: (client, name) => client.getSemaphore(name).delete(),
  },
  {
    what: 'a semaphore whose permits can expire',
    acquire: permitScripts.acquire.sha,
    set: (client, name, permits) => client.getPermitExpirableSemaphore(name).trySetPermits(permits),
    take: async ({ taker, giver }, name, { permits = 1, waitMs = 60_000, ...rest } = {}) => {
      const ids = await taker.getPermitExpirableSemaphore(name).tryAcquireMany(permits, { waitMs, ...rest })
      return ids && (() => giver.getPermitExpirableSemaphore(name).release(ids))
    },
    free: (client, name) => client.getPermitExpirableSemaphore(name).availablePermits(),
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
  },
]

/** What gets lost may fail a call; but where the client has ended, no other call would succeed. */
function nothingUnlessClosed(error: unknown): undefined {
  if (isRedissonError(error, 'CLOSED')) throw error
}

const ofEach = kinds.flatMap((kind) =>
  topologies.map((topology) => ({ ...kind, topology, at: topology.kind })),
)

describe.each(ofEach)('those in line for $what ($at)', { tags: ['full'] }, (kind) => {
  const { topology } = kind
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let name: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `in-line-${kind.acquire.slice(0, 4)}-${String(names++)}`
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await kind.remove(straight, name)
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const take = (wish?: Wish) => kind.take({ taker: client, giver: straight }, name, wish)
  const free = () => kind.free(straight, name)
  const add = async (permits: number) => {
    const add = {
      semaphore: straight.getSemaphore(name),
      permits: straight.getPermitExpirableSemaphore(name),
    }
    await (kind.what === 'a semaphore' ? add.semaphore : add.permits).addPermits(permits)
  }

  it('are served by one request, as many as there are permits for', { tags: ['timed'] }, async () => {
    await kind.set(straight, name, 0)
    const waiting = Array.from({ length: 20 }, () => take())
    await untilAwaited(topology, name)
    await sleep(300)
    let requests = 0
    for (const proxy of door.proxies) {
      proxy.onRequest(
        kind.acquire,
        () => {
          requests += 1
        },
        { times: 100 },
      )
    }
    await add(20)
    await Promise.all(waiting)
    expect(requests).toBe(1)
    expect(await free()).toBe(0)
  })

  describe.each(faultsFor(TIMEOUT_MS))('when their request %s', (...fault) => {
    it('get theirs exactly once, and those who have given up nothing', async () => {
      await kind.set(straight, name, 0)
      const giveUp = new AbortController()
      const quitters = [1, 2].map((permits) => take({ permits, signal: giveUp.signal }))
      const outcomes = Promise.allSettled(quitters)
      const patient = [take({ permits: 2 }), take()]
      await untilAwaited(topology, name)
      await sleep(50)
      const [what, moment, act] = fault
      const both: Fault = [
        what,
        moment,
        async (passing) => {
          giveUp.abort(new Error('enough'))
          await act(passing)
        },
      ]
      const { struck } = strike(door.proxies, kind.acquire, both)
      await add(7)
      await struck
      for (const outcome of await outcomes) expect(outcome.status).toBe('rejected')
      await Promise.all(patient)
      await eventually(async () => (await free()) === 4)
      await sleep(TIMEOUT_MS * 2)
      expect(await free()).toBe(4)
    })
  })

  it(
    'go on waiting although those before them were rejected, since the channel is not confirmed',
    { tags: ['timed'] },
    async () => {
      await kind.set(straight, name, 0)
      const impatient = await Redisson.create(door.options({ subscriptionTimeout: 400 }))
      for (const proxy of door.proxies) proxy.onRequest(/subscribe/i, () => sleep(600), { times: 1 })
      const takers = { taker: impatient, giver: straight }
      const first = kind.take(takers, name).catch((error: unknown) => error)
      await sleep(300)
      const second = kind.take(takers, name)
      expect(await first).toMatchObject({ code: 'SUBSCRIPTION_TIMEOUT' })
      await add(1)
      const giveBack = await second
      await giveBack?.()
      await impatient.shutdown()
    },
  )

  it('lose and create no permit, with any calls and any lost messages', async ({ signal }) => {
    const PERMITS = 6
    await kind.set(straight, name, PERMITS)
    const random = randomNumbers(kind.what.length)
    let inside = 0
    let most = 0
    let served = 0
    const visit = async () => {
      const permits = 1 + Math.floor(random() * 3)
      const giveUp = new AbortController()
      const how = random()
      const wish = {
        permits,
        waitMs: how < 0.2 ? 0 : how < 0.5 ? Math.floor(random() * 30) : 60_000,
        ...(how > 0.7 && { signal: giveUp.signal }),
      }
      const timer = setTimeout(() => {
        giveUp.abort(new Error('enough'))
      }, random() * 30)
      const giveBack = await take(wish).catch(nothingUnlessClosed)
      clearTimeout(timer)
      if (giveBack === undefined) return
      served += 1
      inside += permits
      most = Math.max(most, inside)
      await sleep(random() * 3)
      inside -= permits
      await giveBack()
    }
    const ENOUGH = 30
    const LONG_ENOUGH_MS = 5_000
    // A request that fails fails all who wait in the line, so that few visits may be served where much gets lost.
    const until = performance.now() + LONG_ENOUGH_MS
    const flow = async () => {
      for (let each = 0; served <= ENOUGH || (each < 15 && performance.now() < until); each += 1) {
        signal.throwIfAborted() // or else a test that has failed would go on for ever
        await visit()
      }
    }
    const faults = faultsFor(TIMEOUT_MS)
    let over = false
    const isOver = () => over || signal.aborted
    const disturb = async () => {
      while (!isOver()) {
        const before = served
        const fault = faults[Math.floor(random() * 4)]
        if (fault !== undefined) strike(door.proxies, kind.acquire, fault)
        await sleep(60)
        while (served === before && !isOver()) await sleep(5) // so that work goes on, on any machine
      }
    }
    const disturbing = disturb()
    try {
      await Promise.all(Array.from({ length: 30 }, flow))
    } finally {
      over = true
      await disturbing
    }
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    expect(served).toBeGreaterThan(ENOUGH)
    expect(most).toBeLessThanOrEqual(PERMITS)
    await eventually(async () => (await free()) === PERMITS)
    await sleep(TIMEOUT_MS * 2)
    expect(await free()).toBe(PERMITS)
  })

  it('by the thousand may leave at once', { timeout: 60_000, tags: ['timed'] }, async () => {
    await kind.set(straight, name, 0)
    const giveUp = new AbortController()
    const outcomes = Promise.allSettled(
      Array.from({ length: 20_000 }, () =>
        kind.take({ taker: straight, giver: straight }, name, { signal: giveUp.signal }),
      ),
    )
    await untilAwaited(topology, name)
    await eventually(async () => (await free()) === 0)
    const before = process.cpuUsage()
    giveUp.abort(new Error('enough'))
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    const { user } = process.cpuUsage(before)
    expect(user / 1000).toBeLessThan(1_000)
  })
})
