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

/** Long enough for all takers to wait. */
const SETTLED_MS = 300

describe('takers that wait at a cluster', () => {
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

  /** Has takers wait while something happens to the node of a queue, and elements come after it. */
  const follow = async (name: string, harm: (owner: RunningNode, slot: number) => Promise<unknown>) => {
    const queue = client.getBlockingDeque<string>(name)
    const elsewhere = client.getBlockingDeque<string>(`${name}-elsewhere`)
    const heard: string[] = []
    const takers = [
      queue.take(),
      queue.takeLast(),
      elsewhere.pollFromAny([name], { waitMs: LONG_MS }),
      queue.poll({ waitMs: LONG_MS }),
    ]
    const subscription = elsewhere.subscribeOnElements((element) => heard.push(element))
    await sleep(SETTLED_MS)
    const slot = await slotOf(cluster, name)
    await harm(await ownerOf(cluster, slot), slot)
    const values = takers.map((_, n) => `v${String(n)}`)
    for (const value of values) await askOwner(cluster, name, 'RPUSH', JSON.stringify(value))
    expect((await Promise.all(takers)).toSorted()).toEqual(values)
    await subscription.unsubscribe()
    expect(heard).toEqual([])
    expect(await queue.isExists()).toBe(false)
  }

  it('get their elements from the new owner of a slot that has moved', async () => {
    await follow('moved', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('get their elements from the replica that takes over', async () => {
    await follow('failed', async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe('takers that wait at servers with sentinels', () => {
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

  it('get their elements from the replica that takes over', async () => {
    const queue = client.getBlockingDeque<string>('failed')
    const consumed = queue.consume()[Symbol.asyncIterator]().next()
    const takers = [queue.take(), queue.takeLast(), queue.poll({ waitMs: LONG_MS })]
    await sleep(SETTLED_MS)
    const master = await masterOf(set)
    await master.kill()
    const next = await newMasterOf(set, master)
    await next.command('RPUSH', 'failed', '"a"', '"b"', '"c"', '"d"')
    const { value } = await consumed
    expect([...(await Promise.all(takers)), value].toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })
})
