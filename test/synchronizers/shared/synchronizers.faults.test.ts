import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RCountDownLatch } from '../../../src/synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RRateLimiter } from '../../../src/synchronizers/rate-limiter/rate-limiter.api.js'
import type { RSemaphore } from '../../../src/synchronizers/semaphore/semaphore.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import type { Code } from '../../../src/command/operation/script.js'
import { Redisson } from '../../../src/client/redisson.js'
import * as objectScripts from '../../../src/core/redisson-object.scripts.js'
import * as latchScripts from '../../../src/synchronizers/count-down-latch/count-down-latch.scripts.js'
import * as permitScripts from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import * as rateScripts from '../../../src/synchronizers/rate-limiter/rate-limiter.scripts.js'
import * as semaphoreScripts from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { askAll } from '../../support/ask-all.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike, type Fault } from '../../support/faults.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

/** Set to longer than a test may take where a waiter is not to wake by it. */
const recheck = vi.hoisted(() => ({ RECHECK_MS: 5_000 }))
vi.mock('../../../src/waiting/recheck.js', () => recheck)

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** The error where no server replies. */
const LOST = { code: expect.stringMatching(/REPLY_TIMEOUT|CONNECTION_LOST/) as string }

interface Objects {
  readonly semaphore: RSemaphore
  readonly permits: RPermitExpirableSemaphore
  readonly latch: RCountDownLatch
  readonly limiter: RRateLimiter
  /** The same semaphores, with ten permits that the program brings. */
  readonly bringing: { readonly semaphore: RSemaphore; readonly permits: RPermitExpirableSemaphore }
}

/** One request that counts: what is there before, the request, and what is there after it has run once. */
interface Count {
  readonly what: string
  readonly script: Code
  readonly before: (objects: Objects) => Promise<unknown>
  readonly run: (objects: Objects) => Promise<unknown>
  readonly answer?: unknown
  readonly after: (objects: Objects) => Promise<unknown>
  readonly expected: unknown
}

const lent = async ({ permits }: Objects) => [
  await permits.availablePermits(),
  await permits.acquiredPermits(),
]
const left = ({ semaphore }: Objects) => semaphore.availablePermits()

const counts: readonly Count[] = [
  {
    what: 'takes permits',
    script: semaphoreScripts.acquire,
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.acquire(3),
    after: left,
    expected: 7,
  },
  {
    what: 'takes the last permit',
    script: semaphoreScripts.acquire,
    before: ({ semaphore }) => semaphore.trySetPermits(1),
    run: ({ semaphore }) => semaphore.tryAcquire(1, 10_000),
    answer: true,
    after: left,
    expected: 0,
  },
  {
    what: 'takes permits that it brings',
    script: semaphoreScripts.acquire,
    before: () => Promise.resolve(),
    run: ({ bringing }) => bringing.semaphore.acquire(3),
    after: left,
    expected: 7,
  },
  {
    what: 'takes permits that it brings, and that can expire',
    script: permitScripts.acquire,
    before: () => Promise.resolve(),
    run: ({ bringing }) => bringing.permits.acquireMany(3),
    after: lent,
    expected: [7, 3],
  },
  {
    what: 'gives permits back',
    script: semaphoreScripts.release,
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.release(3),
    after: left,
    expected: 13,
  },
  {
    what: 'adds permits',
    script: semaphoreScripts.release,
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.addPermits(-4),
    after: left,
    expected: 6,
  },
  {
    what: 'sets permits',
    script: semaphoreScripts.trySetPermits,
    before: () => Promise.resolve(),
    run: ({ semaphore }) => semaphore.trySetPermits(10),
    answer: true,
    after: left,
    expected: 10,
  },
  {
    what: 'drains permits',
    script: semaphoreScripts.drain,
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.drainPermits(),
    answer: 10,
    after: left,
    expected: 0,
  },
  {
    what: 'removes a semaphore',
    script: onceOf(objectScripts.remove),
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.delete(),
    answer: true,
    after: left,
    expected: 0,
  },
  {
    what: 'takes permits that can expire',
    script: permitScripts.acquire,
    before: ({ permits }) => permits.trySetPermits(10),
    run: ({ permits }) => permits.acquireMany(3),
    after: lent,
    expected: [7, 3],
  },
  {
    what: 'gives back permits that can expire',
    script: permitScripts.release,
    before: ({ permits }) => permits.trySetPermits(10),
    run: async ({ permits }) => {
      await permits.acquire()
      return await permits.tryRelease(await permits.acquire())
    },
    answer: true,
    after: lent,
    expected: [9, 1],
  },
  {
    what: 'sets permits that can expire',
    script: permitScripts.setPermits,
    before: ({ permits }) => permits.trySetPermits(10),
    run: ({ permits }) => permits.setPermits(4),
    after: lent,
    expected: [4, 0],
  },
  {
    what: 'adds permits that can expire',
    script: permitScripts.addPermits,
    before: ({ permits }) => permits.trySetPermits(10),
    run: ({ permits }) => permits.addPermits(4),
    after: lent,
    expected: [14, 0],
  },
  {
    what: 'counts a latch down',
    script: latchScripts.countDown,
    before: ({ latch }) => latch.trySetCount(3),
    run: ({ latch }) => latch.countDown(),
    after: ({ latch }) => latch.getCount(),
    expected: 2,
  },
  {
    what: 'sets a latch',
    script: latchScripts.trySetCount,
    before: () => Promise.resolve(),
    run: ({ latch }) => latch.trySetCount(3),
    answer: true,
    after: ({ latch }) => latch.getCount(),
    expected: 3,
  },
  {
    what: 'takes from a rate',
    script: rateScripts.acquire,
    before: ({ limiter }) => limiter.trySetRate('OVERALL', 10, 600_000),
    run: ({ limiter }) => limiter.tryAcquire(3, 10_000),
    answer: true,
    after: ({ limiter }) => limiter.availablePermits(),
    expected: 7,
  },
  {
    what: 'gives back to a rate',
    script: rateScripts.release,
    before: async ({ limiter }) => {
      await limiter.trySetRate('OVERALL', 10, 600_000)
      await limiter.acquire(8)
    },
    run: ({ limiter }) => limiter.release(3),
    after: ({ limiter }) => limiter.availablePermits(),
    expected: 5,
  },
]

/** One request that changes something, and what another client does when it has run. */
interface Change {
  readonly what: string
  readonly script: Code
  /** Returns what all others need to know. */
  readonly before: (objects: Objects) => Promise<unknown>
  readonly run: (objects: Objects, given: unknown) => Promise<unknown>
  readonly answer?: unknown
  readonly between: (objects: Objects, given: unknown) => Promise<unknown>
  readonly after: (objects: Objects, given: unknown) => Promise<unknown>
  readonly expected: unknown
}

const nothing = () => Promise.resolve()

const changes: readonly Change[] = [
  {
    what: 'sets permits',
    script: semaphoreScripts.trySetPermits,
    before: nothing,
    run: ({ semaphore }) => semaphore.trySetPermits(10),
    answer: true,
    between: ({ semaphore }) => semaphore.delete(),
    after: left,
    expected: 0,
  },
  {
    what: 'drains permits',
    script: semaphoreScripts.drain,
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.drainPermits(),
    answer: 10,
    between: ({ semaphore }) => semaphore.release(4),
    after: left,
    expected: 4,
  },
  {
    what: 'removes a semaphore',
    script: onceOf(objectScripts.remove),
    before: ({ semaphore }) => semaphore.trySetPermits(10),
    run: ({ semaphore }) => semaphore.delete(),
    answer: true,
    between: ({ semaphore }) => semaphore.trySetPermits(4),
    after: left,
    expected: 4,
  },
  {
    what: 'sets the first permits that can expire',
    script: permitScripts.trySetPermits,
    before: nothing,
    run: ({ permits }) => permits.trySetPermits(10),
    answer: true,
    between: ({ permits }) => permits.delete(),
    after: lent,
    expected: [0, 0],
  },
  {
    what: 'sets permits that can expire',
    script: permitScripts.setPermits,
    before: ({ permits }) => permits.trySetPermits(2),
    run: ({ permits }) => permits.setPermits(3),
    between: ({ permits }) => permits.addPermits(7),
    after: lent,
    expected: [10, 0],
  },
  {
    what: 'sets the end of a lease',
    script: permitScripts.relet,
    before: async ({ permits }) => {
      await permits.trySetPermits(1)
      return await permits.acquire(600_000)
    },
    run: ({ permits }, id) => permits.updateLeaseTime(String(id), 60_000),
    answer: true,
    between: ({ permits }, id) => permits.updateLeaseTime(String(id), 3_600_000),
    after: async ({ permits }, id) => (await permits.getLeaseTime(String(id))) > 600_000,
    expected: true,
  },
  {
    what: 'removes a semaphore whose permits can expire',
    script: onceOf(objectScripts.remove),
    before: ({ permits }) => permits.trySetPermits(10),
    run: ({ permits }) => permits.delete(),
    answer: true,
    between: ({ permits }) => permits.trySetPermits(4),
    after: lent,
    expected: [4, 0],
  },
  {
    what: 'sets a latch',
    script: latchScripts.trySetCount,
    before: nothing,
    run: ({ latch }) => latch.trySetCount(3),
    answer: true,
    between: ({ latch }) => latch.delete(),
    after: ({ latch }) => latch.getCount(),
    expected: 0,
  },
  {
    what: 'counts a latch down',
    script: latchScripts.countDown,
    before: ({ latch }) => latch.trySetCount(1),
    run: ({ latch }) => latch.countDown(),
    between: ({ latch }) => latch.trySetCount(3),
    after: ({ latch }) => latch.getCount(),
    expected: 3,
  },
  {
    what: 'removes a latch',
    script: onceOf(objectScripts.remove),
    before: ({ latch }) => latch.trySetCount(1),
    run: ({ latch }) => latch.delete(),
    answer: true,
    between: ({ latch }) => latch.trySetCount(3),
    after: ({ latch }) => latch.getCount(),
    expected: 3,
  },
  {
    what: 'sets a rate',
    script: rateScripts.setRate,
    before: nothing,
    run: ({ limiter }) => limiter.setRate('OVERALL', 10, 600_000),
    between: ({ limiter }) => limiter.setRate('OVERALL', 20, 600_000),
    after: ({ limiter }) => limiter.availablePermits(),
    expected: 20,
  },
  {
    what: 'removes a rate',
    script: onceOf(objectScripts.remove),
    before: ({ limiter }) => limiter.trySetRate('OVERALL', 10, 600_000),
    run: ({ limiter }) => limiter.delete(),
    answer: true,
    between: ({ limiter }) => limiter.trySetRate('OVERALL', 20, 600_000),
    after: ({ limiter }) => limiter.availablePermits(),
    expected: 20,
  },
]

describe.each(topologies)('a lost message of a synchronizer on the way to a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient
  let mine: Objects
  let theirs: Objects
  let names = 0
  let name: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
    await loadScripts(topology) // else the first answer to a script is that the server does not know it
  })

  beforeEach(() => {
    name = `lost-${String(names++)}`
    mine = objectsOf(client, name)
    theirs = objectsOf(straight, name)
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await theirs.semaphore.delete()
    await theirs.permits.delete()
    await theirs.latch.delete()
    await theirs.limiter.delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  describeFaults('a request that %s', TIMEOUT_MS, (...fault) => {
    it.each(counts)('$what exactly once', async ({ script, before, run, answer, after, expected }) => {
      await before(theirs)
      const { struck } = strike(door.proxies, script.sha, fault)
      const answered = await run(mine)
      await struck
      if (answer !== undefined) expect(answered).toEqual(answer)
      expect(await after(theirs)).toEqual(expected)
    })

    /** Strikes while the caller gives up. */
    const strikeAndAbort = (sha: string) => {
      const giveUp = new AbortController()
      const [what, moment, act] = fault
      const both: Fault = [
        what,
        moment,
        async (passing) => {
          giveUp.abort(new Error('enough'))
          await act(passing)
        },
      ]
      strike(door.proxies, sha, both)
      return giveUp.signal
    }

    it('loses no permit when the caller gives up meanwhile', async () => {
      await theirs.semaphore.trySetPermits(2)
      const signal = strikeAndAbort(semaphoreScripts.acquire.sha)
      await expect(mine.semaphore.acquire({ permits: 2, signal })).rejects.toThrow('enough')
      await theirs.semaphore.acquire(2)
      await theirs.semaphore.release(2)
      await eventually(async () => (await left(theirs)) === 2) // a copy may have come in between
    })

    it('loses no permit that can expire when the caller gives up meanwhile', async () => {
      await theirs.permits.trySetPermits(2)
      const signal = strikeAndAbort(permitScripts.acquire.sha)
      await expect(mine.permits.acquireMany(2, { signal })).rejects.toThrow('enough')
      await theirs.permits.release(await theirs.permits.acquireMany(2))
      await eventually(async () => (await theirs.permits.availablePermits()) === 2)
    })

    it('takes nothing from a rate when the caller gives up meanwhile', async () => {
      await theirs.limiter.trySetRate('OVERALL', 2, 600_000)
      const signal = strikeAndAbort(rateScripts.acquire.sha)
      await expect(mine.limiter.acquire({ permits: 2, signal })).rejects.toThrow('enough')
      await eventually(async () => (await theirs.limiter.availablePermits()) === 2)
    })
  })

  describe('a request whose answer is lost after another client has changed what it did', () => {
    it.each(changes)('$what only once', async ({ script, before, run, answer, between, after, expected }) => {
      const given = await before(theirs)
      const { struck } = strike(door.proxies, script.sha, [
        'is answered, and the answer cut off',
        'reply',
        async (passing) => {
          await between(theirs, given)
          passing.cut()
        },
      ])
      const answered = await run(mine, given)
      await struck
      if (answer !== undefined) expect(answered).toEqual(answer)
      expect(await after(theirs, given)).toEqual(expected)
    })
  })

  it('without any reply rejects, and what it took is released', async () => {
    const impatient = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 5 }))
    const { semaphore, permits } = objectsOf(impatient, name)
    await theirs.semaphore.trySetPermits(2)
    await theirs.permits.trySetPermits(2)
    for (const sha of [semaphoreScripts.acquire.sha, permitScripts.acquire.sha]) {
      for (const proxy of door.proxies) {
        proxy.onReply(
          sha,
          (passing) => {
            passing.freeze()
          },
          { times: 100 },
        )
      }
    }
    await expect(semaphore.acquire()).rejects.toMatchObject(LOST)
    await expect(permits.acquire()).rejects.toMatchObject(LOST)
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await eventually(async () => (await left(theirs)) === 2)
    await eventually(async () => (await theirs.permits.availablePermits()) === 2)
    expect(await lent(theirs)).toEqual([2, 0])
    await impatient.shutdown()
  })

  it('that arrives after all was over takes nothing any more', async () => {
    await theirs.semaphore.trySetPermits(2)
    await theirs.permits.trySetPermits(2)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const held: Fault = ['is held up', 'request', () => over]
    strike(door.proxies, semaphoreScripts.acquire.sha, held)
    await mine.semaphore.acquire()
    strike(door.proxies, permitScripts.acquire.sha, held)
    const id = await mine.permits.acquire()
    await mine.semaphore.release()
    await mine.permits.release(id)
    end()
    await mine.latch.getCount()
    expect(await left(theirs)).toBe(2)
    expect(await lent(theirs)).toEqual([2, 0])
  })

  it('that arrives long after it was undone takes nothing either', async () => {
    // A copy of a request of this client may be under way for seven seconds.
    const patient = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 30 }))
    const { semaphore } = objectsOf(patient, theirs.latch.name)
    await semaphore.trySetPermits(2)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    strike(door.proxies, semaphoreScripts.acquire.sha, ['is held up', 'request', () => over])
    await expect(semaphore.tryAcquire()).rejects.toMatchObject(LOST)
    await sleep(3_000) // longer than answers are kept that have arrived
    end()
    await sleep(50)
    expect(await semaphore.availablePermits()).toBe(2)
    await semaphore.delete()
    await patient.shutdown()
  })

  it('is not asked again for those whose time is over', { tags: ['timed'] }, async () => {
    await theirs.latch.trySetCount(1)
    let asked = 0
    for (const proxy of door.proxies) {
      proxy.onReply(
        latchScripts.count.sha,
        (passing) => {
          asked += 1
          passing.freeze()
        },
        { times: 100 },
      )
    }
    await expect(mine.latch.await(TIMEOUT_MS / 2)).rejects.toMatchObject(LOST)
    expect(asked).toBe(1)
  })

  describe('a waiter', () => {
    const swallowMessages = () => {
      for (const proxy of door.proxies) {
        for (const connection of proxy.connections) if (connection.subscribed) connection.freeze()
      }
    }
    const subscribed = (channel: string) => async () => {
      const found = await Promise.all(
        topology.nodes.map(async (node) => {
          const [, plain] = (await node.command('PUBSUB', 'NUMSUB', channel)) as [string, number]
          const [, sharded] = (await node.command('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number]
          return plain + sharded
        }),
      )
      return Math.max(...found) > 0
    }

    it('of any kind tries again when the message got lost (S-12)', async () => {
      await theirs.latch.trySetCount(1)
      const { name } = theirs.semaphore
      const waiting = [mine.semaphore.acquire(), mine.permits.acquire(), mine.latch.await()]
      await eventually(subscribed(`redisson_sc:{${name}}`))
      await eventually(subscribed(`redisson_sc:{${theirs.permits.name}}`))
      await eventually(subscribed(`redisson_countdownlatch__channel__{${theirs.latch.name}}`))
      await sleep(50) // they have looked for the last time
      swallowMessages()
      await theirs.semaphore.release()
      await theirs.permits.trySetPermits(1)
      await theirs.latch.countDown()
      await Promise.all(waiting)
    })

    it('of any kind tries again when its connection was cut', async () => {
      const { RECHECK_MS } = recheck
      onTestFinished(() => void Object.assign(recheck, { RECHECK_MS }))
      recheck.RECHECK_MS = 600_000
      await theirs.latch.trySetCount(1)
      const waiting = [mine.semaphore.acquire(), mine.permits.acquire(), mine.latch.await()]
      await eventually(subscribed(`redisson_sc:{${theirs.semaphore.name}}`))
      await eventually(subscribed(`redisson_sc:{${theirs.permits.name}}`))
      await eventually(subscribed(`redisson_countdownlatch__channel__{${theirs.latch.name}}`))
      for (const proxy of door.proxies) {
        proxy.refuse()
        proxy.cut()
      }
      await theirs.semaphore.release()
      await theirs.permits.trySetPermits(1)
      await theirs.latch.countDown()
      await Promise.all(door.proxies.map((proxy) => proxy.accept()))
      await Promise.all(waiting)
    })
  })
})

async function loadScripts({ nodes }: Topology<ServerNode>): Promise<void> {
  const scripts = [...counts, ...changes].map(({ script }) => script.source)
  await askAll(nodes, (node) => Promise.all(scripts.map((source) => node.command('SCRIPT', 'LOAD', source))))
}

function objectsOf(client: RedissonClient, name: string): Objects {
  return {
    semaphore: client.getSemaphore(`${name}-semaphore`),
    permits: client.getPermitExpirableSemaphore(`${name}-permits`),
    latch: client.getCountDownLatch(`${name}-latch`),
    limiter: client.getRateLimiter(`${name}-limiter`),
    bringing: {
      semaphore: client.getSemaphore(`${name}-semaphore`, { permits: 10 }),
      permits: client.getPermitExpirableSemaphore(`${name}-permits`, { permits: 10 }),
    },
  }
}
