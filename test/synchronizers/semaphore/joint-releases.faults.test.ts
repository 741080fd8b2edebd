import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { release } from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** A request is sent once, and a copy of it counts as under way for a quarter of a second. */
const IMPATIENT = { ...SETTINGS, retryAttempts: 0 }

/** Longer than a request may be under way or is usually remembered. */
const AWAY_MS = 600

/** How many callers give a permit back in the same turn, and how many permits there are. */
const CALLERS = 3
const PERMITS = 4

/** More than there will ever be. */
const TOO_MANY = 1_000

/** Gives back what was taken, for all callers in the same turn. */
type GiveBack = () => Promise<PromiseSettledResult<unknown>[]>

interface Kind {
  readonly what: string
  /** Whether it goes on releasing after its call has rejected. */
  readonly insists: boolean
  readonly take: (client: RedissonClient, name: string) => Promise<GiveBack>
}

const kinds: readonly Kind[] = [
  {
    what: 'by release()',
    insists: false,
    take: async (client, name) => {
      await client.getSemaphore(name).acquire(CALLERS)
      return () => Promise.allSettled(each(() => client.getSemaphore(name).release()))
    },
  },
  {
    what: 'at the end of withPermit()',
    insists: true,
    take: async (client, name) => {
      const { promise: open, resolve } = Promise.withResolvers<void>()
      let inside = 0
      const calls = each(() =>
        client.getSemaphore(name).withPermit(() => {
          inside += 1
          return open
        }),
      )
      await eventually(() => inside === CALLERS)
      return () => {
        resolve()
        return Promise.allSettled(calls)
      }
    },
  },
]

const ofEach = kinds.flatMap((kind) =>
  topologies.map((topology) => ({ ...kind, topology, at: topology.kind })),
)

describe.each(ofEach)(
  'permits that are given back $what in one turn ($at)',
  ({ topology, take, insists }) => {
    let door: Proxied<typeof topology>
    let client: RedissonClient
    let impatient: RedissonClient
    let straight: RedissonClient
    let leave: AbortController
    let names = 0
    let name: string

    noLeaks(topology)

    beforeAll(async () => {
      straight = await Redisson.create(topology.options())
    })

    beforeEach(async () => {
      name = `joint-${String(names++)}`
      door = await proxied(topology)
      client = await Redisson.create(door.options(SETTINGS))
      impatient = await Redisson.create({ ...door.options(IMPATIENT), connectWaitMs: 20_000 })
      leave = new AbortController()
      await straight.getSemaphore(name).trySetPermits(PERMITS)
      await straight.getSemaphore(name).withPermit(() => undefined) // so that the server knows the scripts
    })

    afterEach(async () => {
      leave.abort(new Error('enough'))
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await Promise.all([client.shutdown(), impatient.shutdown()])
      await straight.getSemaphore(name).delete()
      await door.stop()
    })

    afterAll(() => straight.shutdown())

    const free = () => straight.getSemaphore(name).availablePermits()

    /** Makes a caller of the client wait for permits without success. */
    const haveOneWait = async (at: RedissonClient) => {
      at.getSemaphore(name)
        .acquire({ permits: TOO_MANY, signal: leave.signal })
        .catch(() => undefined)
      await untilAwaited(topology, name)
    }

    const countReleases = () => {
      let requests = 0
      const count = () => {
        requests += 1
      }
      for (const proxy of door.proxies) proxy.onRequest(release.sha, count, { times: TOO_MANY })
      return () => requests
    }

    const goAway = () => {
      for (const proxy of door.proxies) {
        proxy.refuse()
        proxy.cut()
      }
    }

    it('leave with one request while a caller of the process waits', async () => {
      await using calm = await Redisson.create(door.options())
      const giveBack = await take(calm, name)
      await haveOneWait(calm)
      const requests = countReleases()
      expect(statesOf(await giveBack())).toEqual(each(() => 'fulfilled'))
      expect(requests()).toBe(1)
      expect(await free()).toBe(PERMITS)
    })

    it('leave each with its own where no one waits', async () => {
      await using calm = await Redisson.create(door.options())
      const giveBack = await take(calm, name)
      const requests = countReleases()
      await giveBack()
      expect(requests()).toBe(CALLERS)
      expect(await free()).toBe(PERMITS)
    })

    it('are there for what the process asks after that', async () => {
      const giveBack = await take(client, name)
      await haveOneWait(client)
      const outcomes = giveBack()
      await untilCallbacksAreDone()
      expect(await client.getSemaphore(name).availablePermits()).toBe(PERMITS)
      await outcomes
    })

    it.each(faultsFor(TIMEOUT_MS))('are counted once when their request %s', async (...fault) => {
      const giveBack = await take(client, name)
      await haveOneWait(client)
      const { struck } = strike(door.proxies, release.sha, fault)
      expect(statesOf(await giveBack())).toEqual(each(() => 'fulfilled'))
      await struck
      await sleep(TIMEOUT_MS * 2)
      expect(await free()).toBe(PERMITS)
    })

    it.each(['request', 'reply'] as const)(
      'are all back or all missing when the network is away at the %s for longer than a request lives',
      { tags: ['timed'] },
      async (moment) => {
        const giveBack = await take(impatient, name)
        await haveOneWait(impatient)
        for (const proxy of door.proxies) {
          if (moment === 'request') proxy.onRequest(release.sha, goAway)
          else proxy.onReply(release.sha, goAway)
        }
        const outcomes = await giveBack()
        if (insists) {
          expect(statesOf(outcomes)).toEqual(each(() => 'fulfilled')) // the function has succeeded
        } else {
          const reasons = outcomes.map((outcome): unknown =>
            outcome.status === 'rejected' ? outcome.reason : undefined,
          )
          expect(reasons).toMatchObject(each(() => ({ code: 'CONNECTION_LOST' })))
          expect(new Set(reasons).size).toBe(CALLERS)
        }
        const back = moment === 'request' ? PERMITS - CALLERS : PERMITS
        expect(await free()).toBe(back)
        await sleep(AWAY_MS)
        const answered = door.proxies.map((proxy) => proxy.onReply(release.sha).happened)
        await Promise.all(door.proxies.map((proxy) => proxy.accept()))
        if (insists) await Promise.race(answered)
        await sleep(AWAY_MS)
        expect(await free()).toBe(insists ? PERMITS : back)
      },
    )

    it.each(['before', 'after'] as const)(
      'are back when they are given back right %s shutdown()',
      async (when) => {
        const calm = await Redisson.create(door.options())
        const giveBack = await take(calm, name)
        await haveOneWait(calm)
        const shutDown = () => calm.shutdown({ drainMs: 1_000 })
        const all = when === 'before' ? [giveBack(), shutDown()] : [shutDown(), giveBack()].toReversed()
        const [outcomes] = (await Promise.all(all)) as [PromiseSettledResult<unknown>[], void]
        expect(statesOf(outcomes)).toEqual(each(() => 'fulfilled'))
        expect(await free()).toBe(PERMITS)
      },
    )
  },
)

describe.each(topologies)('permits that are given back together ($kind)', (topology) => {
  let client: RedissonClient
  const leave = new AbortController()
  const NAME = 'joint-together'

  noLeaks(topology)

  beforeAll(async () => {
    client = await Redisson.create(topology.options())
  })

  afterAll(() => client.shutdown())

  it('are as many as were taken, where some functions fail and some permits were taken in the same turn', async () => {
    const semaphore = client.getSemaphore(NAME)
    await semaphore.trySetPermits(PERMITS)
    semaphore.acquire({ permits: TOO_MANY, signal: leave.signal }).catch(() => undefined)
    await untilAwaited(topology, NAME)
    const failure = new Error('failed')
    const calls = [
      semaphore.withPermit(() => Promise.reject(failure), { waitMs: 0 }),
      semaphore.withPermit(() => 'done', { waitMs: 0 }),
      semaphore.tryAcquire().then((taken) => (taken ? semaphore.release() : undefined)),
    ]
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'done' },
      { status: 'fulfilled' },
    ])
    expect(await semaphore.availablePermits()).toBe(PERMITS)
    leave.abort(new Error('enough'))
    await semaphore.delete()
  })
})

function each<T>(make: () => T): T[] {
  return Array.from({ length: CALLERS }, make)
}

/** Resolves when all that follows at once has run, and still in this turn of the event loop. */
async function untilCallbacksAreDone(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  process.nextTick(resolve)
  await promise
}

function statesOf(outcomes: readonly PromiseSettledResult<unknown>[]): string[] {
  return outcomes.map(({ status }) => status)
}
