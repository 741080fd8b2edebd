import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

/** Publishes until a message has arrived that was published after something has happened. */
async function follow(
  client: RedissonClient,
  name: string,
  harm: () => Promise<unknown>,
  settled: () => Promise<unknown>,
): Promise<void> {
  const topic = client.getReliableTopic<number>(name)
  const heard: Record<string, number[]> = { own: [], named: [] }
  const own = await topic.addListener((message) => heard['own']?.push(message))
  const named = await topic.addListener((message) => heard['named']?.push(message), { subscriber: 'billing' })
  for (const subscription of [own, named]) subscription.on('error', () => undefined)
  for (const message of [0, 1, 2]) await topic.publish(message)
  await eventually(() =>
    expect(Object.values(heard)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]),
  )
  await settled()
  await harm()
  for (const message of [3, 4, 5]) await eventually(() => topic.publish(message))
  await eventually(() => {
    for (const each of Object.values(heard)) expect(new Set(each)).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  })
  await eventually(async () => expect(await topic.size()).toBe(0))
  expect(await topic.countSubscribers()).toBe(2)
  await own.unsubscribe()
  await named.unsubscribe()
  await topic.delete()
}

describe('subscribers of reliable topics at a cluster', () => {
  let cluster: ClusterTopology
  let client: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster()
    client = await Redisson.create(cluster.options({ scanInterval: 500 }))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  const harmed = async (name: string, harm: (owner: RunningNode, slot: number) => Promise<unknown>) => {
    const slot = await slotOf(cluster, name)
    await follow(
      client,
      name,
      async () => harm(await ownerOf(cluster, slot), slot),
      async () => (await ownerOf(cluster, slot)).command('WAIT', 1, 5_000),
    )
  }

  it('go on at the new owner of a slot that has moved', async () => {
    await harmed('{moved}:reliable', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('go on at the replica that takes over', async () => {
    await harmed('{failed}:reliable', async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe('subscribers of reliable topics at servers with sentinels', () => {
  let set: SentinelTopology
  let client: RedissonClient

  beforeEach(async () => {
    set = await startSentinel()
    client = await Redisson.create(set.options())
  })

  afterEach(async () => {
    await client.shutdown()
    await set.stop()
  })

  it('go on at the replica that takes over', async () => {
    await follow(
      client,
      'failed',
      async () => {
        const master = await masterOf(set)
        await master.kill()
        await newMasterOf(set, master)
      },
      async () => (await masterOf(set)).command('WAIT', 1, 5_000),
    )
  })
})
