import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

/** More than any test takes. */
const LONG_MS = 60_000

/** Long enough for all callers to wait. */
const SETTLED_MS = 300

describe('those who wait for room at a cluster', () => {
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

  /** Has callers wait while something happens to the node of a queue, and removes elements after it. */
  const follow = async (name: string, harm: (owner: RunningNode, slot: number) => Promise<unknown>) => {
    const queue = client.getBoundedBlockingQueue<string>(name)
    await queue.trySetCapacity(2)
    await queue.addAll(['a', 'b'])
    const put = [queue.put('c'), queue.offer('d', { waitMs: LONG_MS })]
    await sleep(SETTLED_MS)
    const slot = await slotOf(cluster, name)
    await harm(await ownerOf(cluster, slot), slot)
    const taken = [await queue.take(), await queue.take(), await queue.take(), await queue.take()]
    expect(await Promise.all(put)).toEqual([undefined, true])
    expect(taken.toSorted()).toEqual(['a', 'b', 'c', 'd'])
    expect(await askOwner(cluster, `redisson_bqs:{${name}}`, 'GET')).toBe('2')
    expect(await queue.isExists()).toBe(false)
  }

  it('get it from the new owner of a slot that has moved', async () => {
    await follow('moved', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('get it from the replica that takes over', async () => {
    await follow('failed', async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe('those who wait for room at servers with sentinels', () => {
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

  it('get it from the replica that takes over', async () => {
    const queue = client.getBoundedBlockingQueue<string>('failed')
    await queue.trySetCapacity(1)
    await queue.put('a')
    const put = [queue.put('b'), queue.offer('c', { waitMs: LONG_MS })]
    await sleep(SETTLED_MS)
    const master = await masterOf(set)
    await master.kill()
    await newMasterOf(set, master)
    const taken = [await queue.take(), await queue.take(), await queue.take()]
    await Promise.all(put)
    expect(taken).toEqual(['a', 'b', 'c'])
    expect(await queue.remainingCapacity()).toBe(1)
  })
})
