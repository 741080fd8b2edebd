import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../../support/cluster.js'
import { eventually } from '../../support/eventually.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../../support/launch/topology.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startCluster, startSentinel } from '../../support/servers.js'

const KEYS = ['a', 'b', 'c', 'd'] as const
const STRATEGIES = ['CLEAR', 'LOAD'] as const

/** Changes a map from both sides before, during and after something happens. Then both return what Redis has. */
async function demandTruth(
  [here, there]: readonly [RedissonClient, RedissonClient],
  name: string,
  reconnectionStrategy: (typeof STRATEGIES)[number],
  harm: () => Promise<unknown>,
): Promise<void> {
  await using mine = here.getLocalCachedMap<string, number>(name, { reconnectionStrategy })
  await using theirs = there.getLocalCachedMap<string, number>(name, { reconnectionStrategy })
  await Promise.all([mine.preloadCache(), theirs.preloadCache()])
  await mine.putAll(KEYS.map((key) => [key, 0] as const))
  await Promise.all([mine.getAll(KEYS), theirs.getAll(KEYS)])
  let isOver = false
  const write = async () => {
    for (let count = 1; !isOver; count += 1) {
      const key = KEYS[count % 3] ?? 'a' // nobody changes the last one
      await [mine, theirs][count % 2]?.put(key, count).catch(() => undefined)
      await Promise.allSettled([mine.getAll(KEYS), theirs.getAll(KEYS)])
    }
  }
  const writing = write()
  await harm()
  isOver = true
  await writing
  await eventually(async () => {
    await mine.put('a', -1)
    await theirs.put('b', -2)
  })
  for (let times = 0; times < 2; times += 1)
    await eventually(async () => {
      const truth = await there.getMap<string, number>(name).getAll(KEYS)
      expect(await mine.getAll(KEYS)).toEqual(truth)
      expect(await theirs.getAll(KEYS)).toEqual(truth)
      expect((await mine.getCachedMap()).size).toBe(truth.size)
    })
  await mine.delete()
}

describe('a local cached map at a cluster that changes', () => {
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

  it.each(STRATEGIES)('has nothing old when its slot has moved, with %s', async (strategy) => {
    const name = `moved-${strategy}`
    await demandTruth(clients, name, strategy, async () => {
      const slot = await slotOf(cluster, name)
      const owner = await ownerOf(cluster, slot)
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
  })

  it('has nothing old when its master has failed', async () => {
    await demandTruth(clients, 'failed', 'CLEAR', async () => {
      const slot = await slotOf(cluster, 'failed')
      const owner = await ownerOf(cluster, slot)
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
  })
})

describe.each(STRATEGIES)(
  'a local cached map at servers with sentinels that fail over, with %s',
  (strategy) => {
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

    it('has nothing old', async () => {
      await demandTruth(clients, 'failed', strategy, async () => {
        const master = await masterOf(set)
        await master.kill()
        await newMasterOf(set, master)
      })
    })
  },
)
