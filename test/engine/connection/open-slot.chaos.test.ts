import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockLostEvent } from '../../../src/api/events.js'
import type { LockHold, RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { mastersOf, openSlot, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type ClusterTopology, type RunningNode } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { startCluster } from '../../support/servers.js'

const WATCHDOG_MS = 3000

/** Longer than a lease lasts that is not renewed. */
const OPEN_MS = 2 * WATCHDOG_MS

describe('a slot that stays open', () => {
  let cluster: ClusterTopology
  let client: RedissonClient
  let lost: LockLostEvent[] = []

  beforeAll(async () => {
    cluster = await startCluster()
    client = await Redisson.create({ ...cluster.options({}), lockWatchdogTimeout: WATCHDOG_MS })
    client.on('lockLost', (event) => lost.push(event))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  /** Holds the slot of `tag` open, with some of its keys moved. */
  const whileOpen = async (
    tag: string,
    moved: readonly string[],
    run: (target: RunningNode) => Promise<unknown>,
  ) => {
    const slot = await slotOf(cluster, `{${tag}}`)
    const owner = await ownerOf(cluster, slot)
    const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
    const opened = await openSlot(cluster, slot, target)
    await opened.move(...moved)
    try {
      await run(target)
    } finally {
      await opened.moveAll()
      await opened.close()
    }
  }

  /** The locks are held while the slot is open, and given back when it is closed. */
  const areKept = async (tag: string, locks: readonly RLock[], moved: (holds: LockHold[]) => string[]) => {
    lost = []
    const holds = await Promise.all(locks.map((lock) => lock.acquire()))
    await whileOpen(tag, moved(holds), () => sleep(OPEN_MS))
    expect(lost.map(({ lock, reason }) => [lock, reason])).toEqual([])
    expect(holds.map(({ isHeld }) => isHeld)).toEqual(holds.map(() => true))
    const left = await Promise.all(locks.map((lock) => lock.remainTimeToLive()))
    expect(Math.min(...left)).toBeGreaterThan(0)
    await Promise.all(holds.map((hold) => hold.unlock()))
    expect(await Promise.all(locks.map((lock) => lock.isLocked()))).toEqual(locks.map(() => false))
  }

  it('loses none of several locks, of which some have moved', { timeout: 60_000 }, async () => {
    const locks = [
      client.getLock('{several}a'),
      client.getLock('{several}b'),
      client.getFairLock('{several}c'),
    ]
    await areKept('several', locks, () => ['{several}a'])
  })

  it.each([
    ['has not moved', []],
    ['has moved without what proves its hold', ['lock']],
    ['has not moved, unlike what proves its hold', ['marker']],
    ['has moved', ['lock', 'marker']],
  ])('does not lose a read lock that %s', { timeout: 60_000 }, async (_, parts) => {
    const name = '{read}'
    await areKept('read', [client.getReadWriteLock(name).readLock()], ([hold]) => {
      const marker = `${name}:${hold?.owner ?? ''}:rwlock_timeout:1`
      return parts.map((part) => (part === 'lock' ? name : marker))
    })
  })

  it('loses none of several read locks and what they exclude', { timeout: 60_000 }, async () => {
    const locks = [
      client.getReadWriteLock('{mixed}a').readLock(),
      client.getReadWriteLock('{mixed}b').readLock(),
      client.getReadWriteLock('{mixed}c').writeLock(),
      client.getFencedLock('{mixed}d'),
    ]
    await areKept('mixed', locks, () => ['{mixed}a', '{mixed}c'])
  })

  it('loses none of several marks, of which one has moved', { timeout: 60_000 }, async () => {
    const once = client.getOnce('{marks}', { ttlMs: 600_000 })
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const signals: AbortSignal[] = []
    const runs = [1, 2].map((fire) =>
      once.run(
        ({ signal }) => {
          signals.push(signal)
          return over
        },
        { fire, retry: 'onCrash' },
      ),
    )
    await eventually(() => signals.length === runs.length)
    await whileOpen('marks', ['redisson_once:{marks}:1'], () => sleep(OPEN_MS))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
    end()
    expect(await Promise.all(runs)).toMatchObject([{ ran: true }, { ran: true }])
  })

  it('lets nothing be taken or given back, and both afterwards', { timeout: 60_000 }, async () => {
    const lock = client.getLock('{refused}a')
    const hold = await lock.acquire()
    await whileOpen('refused', ['{refused}a'], async () => {
      await expect(client.getLock('{refused}b').tryLock()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    })
    const next = await lock.acquire() // what could not be given back is given back in the background
    await next.unlock()
  })

  it('gets permits back that were given back meanwhile', { timeout: 60_000 }, async () => {
    const plain = client.getSemaphore('{permits}a', { permits: 3 })
    const lent = client.getPermitExpirableSemaphore('{permits}b', { permits: 3 })
    const hold = await lent.acquirePermit({ leaseMs: 600_000 })
    const { promise: open, resolve: begin } = Promise.withResolvers<void>()
    const sections = [
      plain.withPermit(() => open),
      plain.withPermit(() => open.then(() => Promise.reject(new Error('failed')))),
      lent.withPermit(() => open, { leaseMs: 600_000 }),
      lent.withPermit(() => open.then(() => Promise.reject(new Error('failed'))), { leaseMs: 600_000 }),
    ]
    const outcomes = Promise.allSettled(sections)
    await eventually(async () => (await plain.availablePermits()) === 1)
    await eventually(async () => (await lent.availablePermits()) === 0)
    await whileOpen('permits', [], async () => {
      begin()
      const done = { status: 'fulfilled' } // their functions have; the permits follow
      const failed = { status: 'rejected', reason: { message: 'failed' } }
      await expect(hold.release()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
      expect(await outcomes).toMatchObject([done, failed, done, failed])
    })
    await eventually(async () => (await plain.availablePermits()) === 3)
    await eventually(async () => (await lent.availablePermits()) === 3)
  })

  it.each([
    ['connections of its own', false],
    ['those of the program', true],
  ])(
    'ends no process where its new owner is silent or gone, over %s',
    { timeout: 60_000 },
    async (_, share) => {
      await using doors = await proxied(cluster)
      const theirs = clusterThrough(doors)
      const brief = doors.options({ timeout: 300, retryAttempts: 0, reconnectionDelay: 20 })
      const asked = await Redisson.create(share ? { ioredis: theirs, share } : brief)
      const unheard: unknown[] = []
      const note = (reason: unknown) => unheard.push(reason)
      process.on('unhandledRejection', note)
      await whileOpen(`silent-${String(share)}`, [], async (target) => {
        const lock = asked.getLock(`{silent-${String(share)}}`)
        expect(await lock.isLocked()).toBe(false)
        const door = doors.proxyOf(target)
        door.stall()
        const outcome = lock.isLocked().catch((error: unknown) => error)
        await sleep(600)
        door.refuse()
        door.cut()
        expect(await outcome).toBeInstanceOf(Error)
        await expect(lock.isLocked()).rejects.toThrow()
        await sleep(100) // unhandled rejections are reported after all else
      })
      process.off('unhandledRejection', note)
      await asked.shutdown()
      theirs.disconnect()
      expect(unheard).toEqual([])
    },
  )
})

/** A client of the program that sees the nodes of a cluster through proxies alone. */
function clusterThrough(doors: Proxied<ClusterTopology>): Cluster {
  const natMap = Object.fromEntries(
    doors.nodes.map((node) => {
      const { host, port } = doors.proxyOf(node)
      return [addressOf(node), { host, port }]
    }),
  )
  const options = {
    natMap,
    lazyConnect: true,
    retryDelayOnFailover: 0,
    redisOptions: { maxRetriesPerRequest: 0 },
  }
  return new Cluster(Object.values(natMap), options)
}
