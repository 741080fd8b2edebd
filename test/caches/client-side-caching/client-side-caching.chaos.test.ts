import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

/** Reads and writes while something happens. Then what is read is what Redis has, also of a key that was not there. */
async function demandTruth(
  [here, there]: readonly [RedissonClient, RedissonClient],
  name: string,
  harm: () => Promise<unknown>,
): Promise<void> {
  await using cached = here.getClientSideCaching()
  const keys = [name, `{${name}}-still`, `{${name}}-absent`]
  const buckets = keys.map((key) => cached.getBucket<number>(key))
  const truth = keys.map((key) => there.getBucket<number>(key))
  for (const bucket of truth.slice(0, 2)) await bucket.set(0)
  await eventually(() => Promise.all(buckets.map((bucket) => bucket.get())))
  let isOver = false
  const write = async () => {
    for (let count = 1; !isOver; count += 1) {
      await truth[0]?.set(count).catch(() => undefined)
      await Promise.allSettled(buckets.map((bucket) => bucket.get()))
    }
  }
  const writing = write()
  await harm()
  isOver = true
  await writing
  for (const value of [-1, -2])
    for (const [index, bucket] of buckets.entries()) {
      await eventually(() => truth[index]?.set(value))
      await eventually(async () => (await bucket.get()) === value)
    }
  for (const bucket of truth) await bucket.delete()
  await eventually(async () => {
    expect(await Promise.all(buckets.map((bucket) => bucket.get()))).toEqual(keys.map(() => undefined))
  })
}

describe('client-side caching at a cluster that changes', () => {
  let cluster: ClusterTopology
  let clients: readonly [RedissonClient, RedissonClient]

  beforeAll(async () => {
    cluster = await startCluster()
    const options = cluster.options({ scanInterval: 500 })
    clients = [await Redisson.create(options), await Redisson.create(options)]
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await cluster.stop()
  })

  it('has nothing old when its slot has moved', async () => {
    await demandTruth(clients, 'moved', async () => {
      const slot = await slotOf(cluster, 'moved')
      const owner = await ownerOf(cluster, slot)
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('has nothing old when its master has failed', async () => {
    await demandTruth(clients, 'failed', async () => {
      const slot = await slotOf(cluster, 'failed')
      const owner = await ownerOf(cluster, slot)
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe('client-side caching at servers with sentinels that fail over', () => {
  let set: SentinelTopology
  let clients: readonly [RedissonClient, RedissonClient]

  beforeAll(async () => {
    set = await startSentinel()
    clients = [await Redisson.create(set.options()), await Redisson.create(set.options())]
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await set.stop()
  })

  it('has nothing old when its master has failed', async () => {
    await demandTruth(clients, 'failed-over', async () => {
      const master = await masterOf(set)
      await master.kill()
      await newMasterOf(set, master)
    })
  })
})
