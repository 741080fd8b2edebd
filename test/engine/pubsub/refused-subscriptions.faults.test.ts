import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { channelsOf, untilAwaited } from '../../support/channels.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

const SETTINGS = { reconnectionDelay: 10 }

/** Of an impatient waiter. */
const IMPATIENT = { ...SETTINGS, subscriptionTimeout: 300 }

/** Nothing in these tests is woken by the end of a lease. */
const NEVER_MS = 600_000

const BUSY = 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.'

const FORBIDDEN = 'NOPERM this user has no permissions to access one of the channels used as arguments'

/** The errors of servers that cannot subscribe clients, and errors unknown to this library. */
const passing = [
  BUSY,
  'CLUSTERDOWN The cluster is down',
  'LOADING Redis is loading the dataset in memory',
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'ERR something that has no name yet',
]

/** Takes something so that others have to wait for it; resolves with how to give it back. */
type Take = (client: RedissonClient, name: string) => Promise<() => Promise<unknown>>

/** Waits for it, and leaves nothing behind when it has come. */
type Wait = (client: RedissonClient, name: string) => Promise<unknown>

const holding =
  (lockOf: (client: RedissonClient, name: string) => RLock): Take =>
  async (client, name) => {
    const hold = await lockOf(client, name).acquire({ leaseMs: NEVER_MS })
    return () => hold.unlock()
  }

const passingThrough =
  (lockOf: (client: RedissonClient, name: string) => RLock): Wait =>
  (client, name) =>
    lockOf(client, name).withLock(() => undefined)

const ofLock = (lockOf: (client: RedissonClient, name: string) => RLock) =>
  [holding(lockOf), passingThrough(lockOf)] as const

type Kind = readonly [what: string, take: Take, wait: Wait]

const kinds: readonly Kind[] = [
  ['a lock', ...ofLock((client, name) => client.getLock(name))],
  ['a fair lock', ...ofLock((client, name) => client.getFairLock(name))],
  ['a write lock', ...ofLock((client, name) => client.getReadWriteLock(name).writeLock())],
  [
    'a write lock that is preferred',
    ...ofLock((client, name) => client.getReadWriteLock(name, { prefer: 'writer' }).writeLock()),
  ],
  [
    'a read lock',
    holding((client, name) => client.getReadWriteLock(name).writeLock()),
    passingThrough((client, name) => client.getReadWriteLock(name).readLock()),
  ],
  ['values of a group', ...ofLock((client, name) => client.getMultiLock(name, ['a', 'b']))],
  [
    'a permit',
    async (client, name) => {
      const semaphore = client.getSemaphore(name)
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      return () => semaphore.release()
    },
    async (client, name) => {
      await client.getSemaphore(name).acquire()
      await client.getSemaphore(name).delete()
    },
  ],
  [
    'a permit that can expire',
    async (client, name) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      await semaphore.trySetPermits(1)
      const id = await semaphore.acquire()
      return () => semaphore.release(id)
    },
    async (client, name) => {
      await client.getPermitExpirableSemaphore(name).acquire()
      await client.getPermitExpirableSemaphore(name).delete()
    },
  ],
  [
    'a latch',
    async (client, name) => {
      await client.getCountDownLatch(name).trySetCount(1)
      return () => client.getCountDownLatch(name).countDown()
    },
    (client, name) => client.getCountDownLatch(name).await(),
  ],
]

const [ofALock] = kinds as [Kind]

/** Which kind it is matters above the subscriptions, and which servers there are below them. */
const arrangements = [
  { where: 'a single server', topology: single, section: {}, kinds },
  { where: 'a master with sentinels', topology: sentinel, section: {}, kinds: [ofALock] },
  { where: 'a cluster with sharded messages', topology: cluster, section: {}, kinds: [ofALock] },
  {
    where: 'a cluster with ordinary messages',
    topology: cluster,
    section: { shardedSubscriptionMode: 'OFF' },
    kinds: [ofALock],
  },
] as const

describe.each(arrangements)(
  'a subscription that is refused at $where (T-13, T-24)',
  ({ topology, section, kinds }) => {
    let door: Proxied<typeof topology>
    let holder: RedissonClient
    let waiter: RedissonClient
    let impatient: RedissonClient
    let names = 0

    noLeaks(topology)

    beforeAll(async () => {
      door = await proxied(topology)
      holder = await Redisson.create(topology.options(section))
      waiter = await Redisson.create(door.options({ ...SETTINGS, ...section }))
      impatient = await Redisson.create(door.options({ ...IMPATIENT, ...section }))
    })

    afterEach(async () => {
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    })

    afterAll(async () => {
      await Promise.all([holder, waiter, impatient].map((client) => client.shutdown()))
      await door.stop()
    })

    /** Refuses all subscriptions, until they are allowed again. */
    const refuse = (words: string, isMeant: (request: string) => boolean = () => true) => {
      let count = 0
      const traps = door.proxies.map((proxy) =>
        proxy.onRequest(
          (request) => /^s?subscribe /i.test(request) && isMeant(request),
          (request) => {
            count += 1
            request.refuse(words)
          },
          { times: Infinity },
        ),
      )
      return {
        /** Resolves when it has refused this number of times. */
        times: (least: number) => eventually(() => count >= least),
        allow: () => {
          for (const trap of traps) trap[Symbol.dispose]()
        },
      }
    }

    const cutSubscriptions = () => {
      for (const { connections } of door.proxies)
        for (const connection of connections) if (connection.subscribed) connection.cut()
    }

    /** Something that is taken, and a caller that waits for it. */
    const scene = async ([, take, wait]: Kind) => {
      const name = `refused-${String(names++)}`
      const free = await take(holder, name)
      const waitForIt = (client = waiter) => {
        const waiting = wait(client, name)
        waiting.catch(() => undefined) // it is looked at later
        return waiting
      }
      return { name, free, waitForIt }
    }

    const isListenedTo = async (name: string) =>
      (await channelsOf(topology)).some((channel) => channel.includes(name))

    it.each(passing)('for now is asked for again: %s', async (words) => {
      const { name, free, waitForIt } = await scene(ofALock)
      const refusing = refuse(words)
      const waiting = waitForIt()
      await refusing.times(3)
      refusing.allow()
      await untilAwaited(topology, name)
      const again = refuse(words)
      cutSubscriptions()
      await again.times(3)
      expect(await isListenedTo(name)).toBe(false)
      again.allow()
      await untilAwaited(topology, name)
      await free()
      await waiting
    })

    describe.each(kinds)('by a waiter for %s', (...kind) => {
      it('for now at first is asked for again', async () => {
        const { name, free, waitForIt } = await scene(kind)
        const refusing = refuse(BUSY)
        const waiting = waitForIt()
        await refusing.times(2)
        refusing.allow()
        await untilAwaited(topology, name)
        await free()
        await waiting
      })

      it('for now is asked for again, and what came meanwhile is not missed', async () => {
        const { name, free, waitForIt } = await scene(kind)
        const waiting = waitForIt()
        await untilAwaited(topology, name)
        const refusing = refuse(BUSY)
        cutSubscriptions()
        await refusing.times(1)
        await free()
        refusing.allow()
        await waiting
      })

      it.each(['at first', 'when it is made again'])(
        'for good %s is reported in the words of the server, and asked for again by the next',
        async (when) => {
          const { name, free, waitForIt } = await scene(kind)
          const early = when === 'at first' ? undefined : waitForIt()
          if (early !== undefined) await untilAwaited(topology, name)
          const refusing = refuse(FORBIDDEN)
          const waiting = early ?? waitForIt()
          cutSubscriptions()
          await expect(waiting).rejects.toMatchObject({
            code: 'COMMAND',
            message: expect.stringContaining(FORBIDDEN),
          })
          expect(await isListenedTo(name)).toBe(false)
          refusing.allow()
          const next = waitForIt()
          await untilAwaited(topology, name)
          await free()
          await next
        },
      )

      it.each(['at first', 'when it is made again'])(
        'for too long %s is reported as such, with what the server says',
        { tags: ['timed'] },
        async (when) => {
          const { name, free, waitForIt } = await scene(kind)
          const early = when === 'at first' ? undefined : waitForIt(impatient)
          if (early !== undefined) await untilAwaited(topology, name)
          const refusing = refuse(BUSY)
          const waiting = early ?? waitForIt(impatient)
          cutSubscriptions()
          await expect(waiting).rejects.toMatchObject({
            code: 'SUBSCRIPTION_TIMEOUT',
            channel: expect.stringContaining(name),
            cause: { code: 'SERVER_NOT_READY', message: expect.stringContaining('BUSY') },
          })
          refusing.allow()
          const next = waitForIt()
          await untilAwaited(topology, name)
          await free()
          await next
        },
      )
    })

    it('to the first in line is asked for again by those behind', async () => {
      const { name, free, waitForIt } = await scene(ofALock)
      const [first, ...others] = [waitForIt(), waitForIt(), waitForIt()]
      await untilAwaited(topology, name)
      const refusing = refuse(FORBIDDEN)
      cutSubscriptions()
      await expect(first).rejects.toMatchObject({ code: 'COMMAND' })
      refusing.allow()
      await untilAwaited(topology, name)
      await free()
      const outcomes = await Promise.allSettled(others)
      expect(outcomes.at(-1)).toMatchObject({ status: 'fulfilled' })
    })

    it('for one channel of many leaves the others alone', async () => {
      const scenes = await Promise.all(Array.from({ length: 20 }, () => scene(ofALock)))
      const waiting = scenes.map(({ waitForIt }) => waitForIt())
      for (const { name } of scenes) await untilAwaited(topology, name)
      const [forbidden, ...allowed] = scenes as [(typeof scenes)[0], ...typeof scenes]
      refuse(FORBIDDEN, (request) => request.includes(`{${forbidden.name}}`))
      cutSubscriptions()
      await expect(waiting[0]).rejects.toMatchObject({ code: 'COMMAND' })
      for (const { name } of allowed) await untilAwaited(topology, name)
      await Promise.all(scenes.map(({ free }) => free()))
      await Promise.all(waiting.slice(1))
    })
  },
)
