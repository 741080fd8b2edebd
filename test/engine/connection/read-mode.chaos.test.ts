import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { newOwnerOf, ownerOf, replicasOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf, untilCalm } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

const NAME = 'read-mode'
const SETTINGS = {
  readMode: 'SLAVE',
  timeout: 4_000,
  retryAttempts: 0,
  reconnectionDelay: 50,
} as const

/** While there is no master. */
const PATIENT = { ...SETTINGS, retryAttempts: 1_000, retryDelay: 100 } as const

const arrangements: readonly (readonly [string, () => Promise<ClusterTopology | SentinelTopology>])[] = [
  ['by sentinels', () => startSentinel({ sentinels: 1, downAfterMs: 1_000, pace: 'hurried' })],
  ['in a cluster', () => startCluster({ nodeTimeoutMs: 1_000 })],
]

describe.each(arrangements)('readMode SLAVE with replicas that fail (%s)', (_, start) => {
  let topology: ClusterTopology | SentinelTopology
  let client: RedissonClient
  let slot: number
  /** How many replicas the master has when all is well. */
  let expected: number

  beforeAll(async () => {
    topology = await start()
    slot = topology.kind === 'cluster' ? await slotOf(topology, NAME) : 0
    expected = topology.kind === 'cluster' ? 1 : 2
    client = await Redisson.create(topology.options(SETTINGS))
    await client.getBucket<string>(NAME).set('master')
  })

  afterEach(async () => {
    await Promise.all(topology.nodes.map((node) => node.resume()))
    await untilReplicated()
  })

  afterAll(async () => {
    await client.shutdown()
    await topology.stop()
  })

  const master = () => (topology.kind === 'cluster' ? ownerOf(topology, slot) : masterOf(topology))

  async function replicas(): Promise<readonly RunningNode[]> {
    if (topology.kind === 'cluster') return await replicasOf(topology, slot)
    const owner = await masterOf(topology)
    return topology.nodes.filter((node) => node !== owner)
  }

  const read = (reader = client) => reader.getBucket<string>(NAME).get()

  /** Waits until all replicas have what the master has. */
  async function untilReplicated(): Promise<void> {
    await eventually(
      async () => {
        if (topology.kind === 'sentinel') await untilCalm(topology)
        const [owner, all] = await Promise.all([master(), replicas()])
        await owner.command('SET', NAME, JSON.stringify('master'))
        return all.length === expected && Number(await owner.command('WAIT', expected, 1_000)) === expected
      },
      { withinMs: 30_000, what: 'replicas that follow' },
    )
  }

  /** Waits until a replica is read. */
  async function untilReplicaIsRead(reader = client): Promise<void> {
    const all = await replicas()
    await Promise.all(all.map((replica) => replica.command('CONFIG', 'RESETSTAT')))
    await eventually(
      async () =>
        (await read(reader)) === 'master' && /cmdstat_get:/.test(await statsOf(all, 'commandstats')),
      {
        withinMs: 30_000,
        what: 'a read at a replica',
      },
    )
  }

  /** Reads again and again until it is stopped. No read may have failed: nothing is sent again, except by a client whose settings say so. */
  function reading(reader = client) {
    let stopped = false
    let count = 0
    const errors: unknown[] = []
    const flow = async (): Promise<void> => {
      while (!stopped) {
        await read(reader).then(
          () => (count += 1),
          (error: unknown) => errors.push(error),
        )
        await sleep(1)
      }
    }
    const flows = [flow(), flow()]
    return {
      more: async (): Promise<void> => {
        const before = count
        await eventually(() => count > before + 20, { withinMs: 30_000, what: 'more reads' })
      },
      stop: async (): Promise<void> => {
        stopped = true
        await Promise.all(flows)
        expect(errors).toEqual([])
      },
    }
  }

  it('reads at the master while the replicas do not reply, and at them again afterwards', async () => {
    await untilReplicaIsRead()
    const reads = reading()
    const all = await replicas()
    await Promise.all(all.map((replica) => replica.pause()))
    await reads.more()
    await Promise.all(all.map((replica) => replica.resume()))
    await reads.stop()
    await untilReplicated()
    await untilReplicaIsRead()
  })

  it('reads at the master where replicas refuse', async () => {
    await untilReplicaIsRead()
    const all = await replicas()
    await Promise.all(all.map((replica) => replica.command('ACL', 'SETUSER', 'default', '-get')))
    await Promise.all(all.map((replica) => replica.command('CONFIG', 'RESETSTAT')))
    do expect(await read()).toBe('master')
    while (!(await statsOf(all, 'errorstats')).includes('errorstat_NOPERM:'))
    await Promise.all(all.map((replica) => replica.command('ACL', 'SETUSER', 'default', '+get')))
    await untilReplicaIsRead()
  })

  it('reads at the master while replicas load again what they have lost', async () => {
    await untilReplicaIsRead()
    const reads = reading()
    const all = await replicas()
    await Promise.all(all.map((replica) => replica.kill()))
    await reads.more()
    await Promise.all(all.map((replica) => replica.restart()))
    await untilReplicated()
    await reads.stop()
    await untilReplicaIsRead()
  })

  it('follows a failover: the old master is a replica then', async () => {
    await using patient = await Redisson.create(topology.options(PATIENT))
    await untilReplicaIsRead(patient)
    const reads = reading(patient)
    const old = await master()
    await old.kill()
    const now =
      topology.kind === 'cluster' ? await newOwnerOf(topology, slot, old) : await newMasterOf(topology, old)
    expect(now).not.toBe(old)
    await reads.more()
    await old.restart()
    await untilReplicated()
    await reads.stop()
    await untilReplicaIsRead(patient)
  })
})

describe('readMode SLAVE with replicas that do not follow their master', () => {
  it('reads what they have', async () => {
    await using topology = await startSentinel({ sentinels: 1, downAfterMs: 60_000 })
    await using client = await Redisson.create(topology.options(SETTINGS))
    const bucket = client.getBucket<string>(NAME)
    await bucket.set('master')
    const [, ...replicas] = topology.nodes
    for (const replica of replicas) {
      await replica.command('CONFIG', 'SET', 'replica-read-only', 'no')
      await replica.command('SET', NAME, JSON.stringify('replica'))
    }
    await eventually(async () => (await bucket.get()) === 'replica', { what: 'what only a replica has' })
    expect(await bucket.compareAndSet('replica', 'new')).toBe(false)
    expect(await bucket.getAndSet('new')).toBe('master')
  })

  it('reads at the master where they say so', async () => {
    await using topology = await startSentinel({ sentinels: 1, downAfterMs: 60_000 })
    await using client = await Redisson.create(topology.options(SETTINGS))
    const bucket = client.getBucket<string>(NAME)
    await bucket.set('master')
    const [, ...replicas] = topology.nodes
    for (const replica of replicas) {
      await replica.command('CONFIG', 'SET', 'replica-serve-stale-data', 'no')
      await replica.command('CONFIG', 'RESETSTAT')
    }
    await eventually(
      async () =>
        (await bucket.get()) === 'master' && /cmdstat_get:/.test(await statsOf(replicas, 'commandstats')),
      {
        what: 'a read at a replica',
      },
    )
    await Promise.all(replicas.map((replica) => replica.command('REPLICAOF', '127.0.0.1', 1)))
    do expect(await bucket.get()).toBe('master')
    while (!(await statsOf(replicas, 'errorstats')).includes('errorstat_MASTERDOWN:'))
  })
})

/** What servers say of one kind of what they have done. */
async function statsOf(
  nodes: readonly RunningNode[],
  section: 'commandstats' | 'errorstats',
): Promise<string> {
  return (await Promise.all(nodes.map((node) => node.command('INFO', section)))).join('\n')
}
