import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { isTransient } from '../../../src/errors/transient.js'
import { Redisson } from '../../../src/client/redisson.js'
import { failOverSlot, migrateSlot, mastersOf, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, SentinelTopology } from '../../support/launch/topology.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { failOverSet, masterOf, newMasterOf, untilCalm } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

const SETTINGS = { timeout: 500, retryDelay: 100, reconnectionDelay: 50, retryAttempts: 3 }

/** Flows of two clients that take one lock again and again, and a resource that throws when two are inside. */
class Traffic {
  readonly resource = new LimitedResource()
  readonly errors: unknown[] = []
  readonly #flows: Promise<void>[]
  #stopped = false

  constructor(locks: readonly RLock[]) {
    this.#flows = locks.flatMap((lock) => [this.#flow(lock), this.#flow(lock)])
  }

  /** Resolves when the lock was taken again and again since it was called. */
  async flows(): Promise<void> {
    const before = this.resource.entries
    await eventually(() => this.resource.entries > before + 20, {
      withinMs: 30_000,
      what: 'locks to be taken',
    })
  }

  /** Ends the flows. Nothing but errors that mean "try again" may have come up, and two were never inside. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#flows)
    expect(this.errors.filter((error) => !isAcceptable(error))).toEqual([])
    expect(this.resource.highest).toBe(1)
  }

  async #flow(lock: RLock): Promise<void> {
    while (!this.#stopped) {
      try {
        await lock.withLock((hold) => this.resource.use(() => (hold.isHeld ? sleep(1) : undefined)))
      } catch (error) {
        this.errors.push(error)
      }
    }
  }
}

/** Redis could not be asked, replicas did not confirm, or the lock was lost and said so. */
function isAcceptable(error: unknown): boolean {
  return isTransient(error) || isRedissonError(error, 'NOT_REPLICATED') || isRedissonError(error, 'LOCK_LOST')
}

/** All that a set of sentinels has. If fewer confirm, one may be promoted that has not, or the old master goes on with it. */
const REPLICAS = 2

describe('a failover by sentinels (T-20, T-23)', () => {
  let set: SentinelTopology
  let clients: RedissonClient[]
  let traffic: Traffic | undefined

  beforeAll(async () => {
    set = await startSentinel({ sentinels: 1, downAfterMs: 500, pace: 'hurried' })
    const settings = { ...set.options(SETTINGS), lockWatchdogTimeout: 2000, slavesSyncTimeout: 300 }
    clients = await Promise.all([Redisson.create(settings), Redisson.create(settings)])
  })

  beforeEach(() => untilCalm(set))

  afterEach(async () => {
    await traffic?.stop()
    traffic = undefined
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await set.stop()
  })

  const goThrough = async (fault: () => Promise<unknown>) => {
    const settings = { syncedReplicas: REPLICAS }
    traffic = new Traffic(clients.map((client) => client.getLock('failing-over', settings)))
    await traffic.flows()
    await fault()
    await traffic.flows()
  }

  it('that was planned lets no two in where all replicas confirm', async () => {
    await goThrough(() => failOverSet(set))
  })

  it('after a master was killed lets no two in where all replicas confirm', async () => {
    const old = await masterOf(set)
    await goThrough(async () => {
      await old.kill()
      await newMasterOf(set, old)
      await old.restart() // as a replica, which confirms again
    })
    await untilAllReplicas()
  })

  it('after a master fell silent lets no two in where all replicas confirm', async () => {
    const old = await masterOf(set)
    await goThrough(async () => {
      await old.pause()
      await newMasterOf(set, old)
      await old.resume()
    })
    await untilAllReplicas()
  })

  it('wakes the waiters', async () => {
    const [holder, waiter] = clients as [RedissonClient, RedissonClient]
    const hold = await holder.getLock('held-through').acquire({ leaseMs: 60_000 })
    const waiting = waiter.getLock('held-through').acquire()
    await sleep(300)
    await failOverSet(set)
    await eventually(() => hold.unlock().then(() => true, isHeldNoMore))
    await (await waiting).unlock()
  })

  const untilAllReplicas = () =>
    eventually(
      async () => {
        const info = String(await (await masterOf(set)).command('INFO', 'replication'))
        return info.match(/state=online/g)?.length === REPLICAS
      },
      { withinMs: 30_000, what: 'all replicas' },
    )
})

/** A lock that the new master knows nothing of is as good as given back. */
function isHeldNoMore(error: unknown): boolean {
  return isRedissonError(error, 'NOT_HELD')
}

describe('a cluster that changes (T-23, T-28)', () => {
  let cluster: ClusterTopology
  let clients: RedissonClient[]
  let slot: number
  let traffic: Traffic | undefined

  beforeAll(async () => {
    cluster = await startCluster({ nodeTimeoutMs: 1000 })
    slot = await slotOf(cluster, 'moving')
    const settings = { ...cluster.options({ ...SETTINGS, scanInterval: 500 }), lockWatchdogTimeout: 2000 }
    clients = await Promise.all([Redisson.create(settings), Redisson.create(settings)])
  })

  afterEach(async () => {
    await traffic?.stop()
    traffic = undefined
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await cluster.stop()
  })

  const goThrough = async (fault: () => Promise<unknown>, syncedReplicas = 0) => {
    traffic = new Traffic(clients.map((client) => client.getLock('moving', { syncedReplicas })))
    await traffic.flows()
    await fault()
    await traffic.flows()
  }

  it('has no two holders while a slot moves', async () => {
    const owner = await ownerOf(cluster, slot)
    const target = (await mastersOf(cluster)).find((node) => node !== owner)
    if (target === undefined) throw new Error('Expected another master')
    await goThrough(async () => {
      await migrateSlot(cluster, slot, target, { midway: () => sleep(100) })
      await traffic?.flows()
      await migrateSlot(cluster, slot, owner)
    })
  })

  it('wakes the waiters at a slot that has moved', async () => {
    const [holder, waiter] = clients as [RedissonClient, RedissonClient]
    const owner = await ownerOf(cluster, slot)
    const target = (await mastersOf(cluster)).find((node) => node !== owner)
    if (target === undefined) throw new Error('Expected another master')
    const hold = await holder.getLock('moving').acquire({ leaseMs: 60_000 })
    const waiting = waiter.getLock('moving').acquire()
    await sleep(300)
    await migrateSlot(cluster, slot, target)
    await hold.unlock()
    await (await waiting).unlock()
    await migrateSlot(cluster, slot, owner)
  })

  it('lets no two in while a replica takes over by plan', async () => {
    await goThrough(() => failOverSlot(cluster, slot))
  })

  it('lets no two in when an owner is killed, where its replica confirms', async () => {
    const old = await ownerOf(cluster, slot)
    await goThrough(async () => {
      await old.kill()
      await newOwnerOf(cluster, slot, old)
      await old.restart() // as a replica, which confirms again
    }, 1)
  })

  it('goes on when an owner falls silent', async () => {
    const old = await ownerOf(cluster, slot)
    await old.pause()
    await newOwnerOf(cluster, slot, old)
    traffic = new Traffic(clients.map((client) => client.getLock('moving')))
    await traffic.flows()
    await old.resume()
    await traffic.flows()
  })
})
