import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RBucket, type RedissonClient } from '../../src/index.js'
import { askAll } from '../support/ask-all.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { ClusterTopology, RunningNode } from '../support/launch/topology.js'
import { startCluster } from '../support/servers.js'

describe('the events of an object in a cluster', () => {
  let cluster: ClusterTopology
  let client: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster()
    await askAll(cluster.nodes, (node) => node.command('CONFIG', 'SET', 'notify-keyspace-events', 'KA'))
    client = await Redisson.create(cluster.options({}))
  })

  afterAll(async () => {
    await client.shutdown()
    await cluster.stop()
  })

  /** Listens to a bucket while something happens to its node, after which events have to come again. */
  const follows = async (
    bucket: RBucket<unknown>,
    harm: (owner: RunningNode, slot: number) => Promise<unknown>,
  ) => {
    await bucket.set(0)
    const notified: string[] = []
    const subscription = await bucket.addListener('set', () => notified.push('set'))
    subscription.on('gap', () => notified.push('gap'))
    await bucket.set(1)
    await eventually(() => expect(notified).toEqual(['set']))
    const slot = await slotOf(cluster, bucket.name)
    await harm(await ownerOf(cluster, slot), slot)
    await eventually(async () => {
      await bucket.set(2) // by which the client notices, too
      expect(notified.slice(0, 2)).toEqual(['set', 'gap'])
      expect(notified.length).toBeGreaterThan(2)
    })
    expect(notified.filter((each) => each === 'gap')).toHaveLength(1)
    await subscription.unsubscribe()
    await bucket.delete()
  }

  it('come from the new owner of a slot that has moved', async () => {
    await follows(client.getBucket('moved'), async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('come from the replica that takes over', async () => {
    await follows(client.getBucket('failed'), async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})
