import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import type { ClusterTopology, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

/** More than any test takes. */
const PATIENT = { waitMs: 60_000 }

/** So that elements are due while the master is away. */
const DELAYS_MS = [500, 1_000, 3_000]

/** Has elements wait while something happens to the master, which the replicas have by then. */
async function follow(client: RedissonClient, name: string, harm: () => Promise<unknown>): Promise<void> {
  const queue = client.getBlockingQueue<number>(name)
  await using delayed = client.getDelayedQueue(queue)
  for (const delayMs of DELAYS_MS) await delayed.offer(delayMs, delayMs)
  await harm()
  const taken: (number | undefined)[] = []
  for (const _ of DELAYS_MS) taken.push(await queue.poll(PATIENT))
  expect(taken).toEqual(DELAYS_MS)
  await delayed.offer(7, 10)
  expect(await queue.poll(PATIENT)).toBe(7)
  expect(await delayed.isExists()).toBe(false)
}

describe('a delayed queue whose master fails', () => {
  describe('in a cluster', () => {
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

    it('is moved by the replica that takes over', async () => {
      const slot = await slotOf(cluster, 'delayed')
      const owner = await ownerOf(cluster, slot)
      await follow(client, 'delayed', async () => {
        await owner.command('WAIT', 1, 1_000)
        await owner.kill()
        await newOwnerOf(cluster, slot, owner)
      })
    })
  })

  describe('with sentinels', () => {
    let set: SentinelTopology
    let client: RedissonClient

    beforeAll(async () => {
      set = await startSentinel()
      client = await Redisson.create(set.options())
    })

    afterAll(async () => {
      await client.shutdown()
      await set.stop()
    })

    it('is moved by the replica that takes over', async () => {
      const master = await masterOf(set)
      await follow(client, 'delayed', async () => {
        await eventually(async () => {
          expect(Number(await master.command('WAIT', 1, 1_000))).toBeGreaterThan(0)
        })
        await master.kill()
        await newMasterOf(set, master)
      })
    })
  })
})
