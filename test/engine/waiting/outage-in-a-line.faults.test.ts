import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RLock } from '../../../src/index.js'
import * as fair from '../../../src/locks/fair/fair-lock.scripts.js'
import * as fenced from '../../../src/locks/fenced/fenced-lock.scripts.js'
import * as plain from '../../../src/locks/reentrant/lock.scripts.js'
import * as readWrite from '../../../src/locks/read-write/read-write-lock.scripts.js'
import * as group from '../../../src/locks/multi-value/multi-value-lock.scripts.js'
import * as expirable from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.scripts.js'
import * as rates from '../../../src/synchronizers/rate-limiter/rate-limiter.scripts.js'
import * as semaphore from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Direction } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 250
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 2 }

/** All wait in the queue when no further request came during that number of replies to others. */
const QUIET_TRIPS = 12

/** How far apart waiters may fail that reject together. */
const AT_ONCE_MS = TIMEOUT_MS

type GiveBack = () => Promise<unknown>

interface Kind {
  readonly kind: string
  /** What the first in line asks with. */
  readonly script: string
  /** How many stand in line, where one request asks for several of them. */
  readonly waiters?: number
  /** Whether every waiter sends one request before, for a place in Redis. */
  readonly takesPlaces?: boolean
  /** Takes what others then wait for. */
  readonly take: (client: RedissonClient, name: string) => Promise<GiveBack>
  /** Waits for it; undefined when the time is over. */
  readonly wait: (client: RedissonClient, name: string, waitMs: number) => Promise<GiveBack | undefined>
  readonly remove?: (client: RedissonClient, name: string) => Promise<unknown>
}

function ofLock(lockOf: (client: RedissonClient, name: string) => RLock): Pick<Kind, 'take' | 'wait'> {
  const given = (hold: { unlock: () => Promise<void> }) => () => hold.unlock()
  return {
    take: async (client, name) => given(await lockOf(client, name).acquire()),
    wait: async (client, name, waitMs) => {
      const hold = await elsewhere(() => lockOf(client, name).tryAcquire({ waitMs }))
      return hold && given(hold)
    },
  }
}

const nothing = () => Promise.resolve()

const all: readonly Kind[] = [
  { kind: 'a lock', script: plain.acquire.sha, ...ofLock((client, name) => client.getLock(name)) },
  {
    kind: 'a non-reentrant lock',
    script: plain.acquireOnce.sha,
    ...ofLock((client, name) => client.getNonReentrantLock(name)),
  },
  {
    kind: 'a fenced lock',
    script: fenced.acquire.sha,
    ...ofLock((client, name) => client.getFencedLock(name)),
  },
  {
    kind: 'a fair lock',
    script: fair.acquire.sha,
    takesPlaces: true,
    ...ofLock((client, name) => client.getFairLock(name)),
  },
  {
    kind: 'a write lock',
    script: readWrite.acquireWrite.sha,
    ...ofLock((client, name) => client.getReadWriteLock(name).writeLock()),
  },
  {
    kind: 'a preferred write lock',
    script: readWrite.acquireWrite.sha,
    ...ofLock((client, name) => client.getReadWriteLock(name, { prefer: 'writer' }).writeLock()),
  },
  {
    kind: 'values of a group',
    script: group.acquire.sha,
    ...ofLock((client, name) => client.getMultiLock(name, ['one', 'two'])),
  },
  {
    kind: 'a semaphore',
    script: semaphore.acquire.sha,
    waiters: 210,
    take: async (client, name) => {
      await client.getSemaphore(name).trySetPermits(0)
      return () => client.getSemaphore(name).addPermits(1)
    },
    wait: async (client, name, waitMs) => {
      const taken = await client.getSemaphore(name).tryAcquire({ waitMs })
      return taken ? () => client.getSemaphore(name).release() : undefined
    },
    remove: (client, name) => client.getSemaphore(name).delete(),
  },
  {
    kind: 'a semaphore whose permits can expire',
    script: expirable.acquire.sha,
    waiters: 210,
    take: async (client, name) => {
      await client.getPermitExpirableSemaphore(name).trySetPermits(0)
      return () => client.getPermitExpirableSemaphore(name).addPermits(1)
    },
    wait: async (client, name, waitMs) => {
      const id = await client.getPermitExpirableSemaphore(name).tryAcquire({ waitMs })
      return id === undefined ? undefined : () => client.getPermitExpirableSemaphore(name).release(id)
    },
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
  },
  {
    kind: 'a rate limiter',
    script: rates.acquire.sha,
    take: async (client, name) => {
      await client.getRateLimiter(name).trySetRate('OVERALL', 1, 500)
      await client.getRateLimiter(name).acquire()
      return nothing // time passes
    },
    wait: async (client, name, waitMs) =>
      (await client.getRateLimiter(name).tryAcquire({ waitMs })) ? nothing : undefined,
    remove: (client, name) => client.getRateLimiter(name).delete(),
  },
]

describe.each(all)(
  'those who wait in line for $kind',
  { tags: ['timed'] },
  ({ script, waiters = 5, takesPlaces = false, take, wait, remove }) => {
    let door: Proxied<typeof single>
    let client: RedissonClient
    let straight: RedissonClient
    let names = 0
    let name: string

    noLeaks(single, { keeps: /^redisson_lock_token:/ })

    beforeAll(async () => {
      door = await proxied(single)
      client = await Redisson.create(door.options(SETTINGS))
      straight = await Redisson.create(single.options())
    })

    beforeEach(() => {
      name = `outage-${script.slice(0, 6)}-${String(names++)}`
    })

    afterEach(async () => {
      await heal()
      await eventually(() =>
        client
          .getLock('reached')
          .isLocked()
          .then(() => true),
      )
      await remove?.(straight, name)
    })

    afterAll(async () => {
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
    })

    const proxy = () => door.proxyOf(single.nodes[0])
    const heal = () => proxy().heal()

    /** Has a line wait, and no answer come from the next request on; resolves when that has been sent. */
    const stallWhile = async (waitMsOf: readonly number[], direction: Direction = 'both') => {
      const giveBack = await take(straight, name)
      const endedAt: number[] = []
      let asked = 0
      proxy().onRequest(script, () => void (asked += 1), { times: Infinity })
      const line = waitMsOf.map((waitMs) => wait(client, name, waitMs))
      const ended = () => {
        endedAt.push(performance.now())
      }
      for (const waiting of line) waiting.then(ended, ended)
      for (let quiet = 0; quiet < QUIET_TRIPS; quiet += 1) {
        const before = asked
        await client.getLock('reached').isLocked() // answered after all that was sent before
        await sleep(10)
        if (asked > before) quiet = 0
      }
      const { promise: askedAgain, resolve } = Promise.withResolvers<void>()
      proxy().onRequest(script, () => {
        proxy().stall(direction)
        resolve()
      })
      await giveBack()
      await askedAgain
      return { line, endedAt }
    }

    const codeOf = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === 'rejected' ? (outcome.reason as { code: unknown }).code : outcome.value

    /** Another client can have it, also where lost requests took it. */
    const untilFree = async () => {
      await heal()
      const giveBack = await wait(straight, name, 5_000)
      expect(giveBack).toBeDefined()
      await giveBack?.()
    }

    it.each([
      ['no request arrives', 'both'],
      ['no reply does, so that what they request is taken without a caller', 'replies'],
    ] as const)('learn of an outage together, each by an error of its own: %s', async (_, direction) => {
      const { line, endedAt } = await stallWhile(Array<number>(waiters).fill(60_000), direction)
      const outcomes = await Promise.allSettled(line)
      expect(Math.max(...endedAt) - Math.min(...endedAt)).toBeLessThan(AT_ONCE_MS)
      for (const outcome of outcomes) expect(codeOf(outcome)).toMatch(/^(?:REPLY_TIMEOUT|CONNECTION_LOST)$/)
      const errors = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as Error)
      expect(new Set(errors).size).toBe(waiters)
      for (const error of errors)
        expect(error).toMatchObject({ attempts: 3, request: expect.stringContaining(name) as unknown })
      await untilFree()
    })

    it.skipIf(takesPlaces)('ask for themselves where they came after the request that failed', async () => {
      const { line } = await stallWhile([60_000, 60_000])
      await sleep(TIMEOUT_MS)
      const late = wait(client, name, 60_000)
      const outcomes = await Promise.allSettled(line)
      await heal()
      for (const { status } of outcomes) expect(status).toBe('rejected')
      const giveBack = await late
      expect(giveBack).toBeDefined()
      await giveBack?.()
      await untilFree()
    })

    it('go on where the first fails because its time is over, and they have more', async () => {
      const { line } = await stallWhile([300, 60_000])
      const [first, second] = line
      await first?.catch(nothing)
      await heal()
      const giveBack = await second
      expect(giveBack).toBeDefined()
      await giveBack?.()
      await untilFree()
    })
  },
)
