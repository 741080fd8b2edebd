import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type Subscription } from '../../src/index.js'
import { mastersOf, migrateSlot, newOwnerOf, ownerOf, slotOf } from '../support/cluster.js'
import { eventually } from '../support/eventually.js'
import type { ClusterTopology, RunningNode, SentinelTopology } from '../support/launch/topology.js'
import { masterOf, newMasterOf } from '../support/sentinel-set.js'
import { startCluster, startSentinel } from '../support/servers.js'

type Heard = (number | 'gap')[]

/** Notes gaps as well. */
const noting = (heard: Heard) => (subscription: Subscription) =>
  subscription.on('gap', () => heard.push('gap'))

const numbersIn = (heard: Heard) => heard.filter((each) => each !== 'gap')

/** Demands that what came arrived once and in order, and that nothing is missing where there is no gap. */
function demandOrder(heard: Heard, published: readonly number[]): void {
  const numbers = numbersIn(heard)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, two) => one - two))
  const missing = published.filter((message) =>
    heard.some((each, at) => {
      const before = heard[at - 1]
      return typeof each === 'number' && typeof before === 'number' && before < message && message < each
    }),
  )
  expect(missing).toEqual([])
}

/** Publishes before and after something happens, until messages have come after the gap. */
async function followed(
  heard: Heard,
  publish: (message: number) => Promise<unknown>,
  harm: () => Promise<unknown>,
): Promise<void> {
  const published: number[] = []
  let next = 0
  const send = async () => {
    const message = next // what may have been published once is not published again
    next += 1
    await publish(message)
    published.push(message)
  }
  while (next < 10) await send()
  await eventually(() => expect(heard.at(-1)).toBe(9))
  await harm()
  await eventually(async () => {
    await send()
    expect(heard.indexOf('gap')).toBeGreaterThan(0)
    expect(heard.length).toBeGreaterThan(heard.indexOf('gap') + 3)
  })
  demandOrder(heard, published)
  expect(heard.filter((each) => each === 'gap')).toHaveLength(1)
}

describe('topics at a cluster that changes', () => {
  let cluster: ClusterTopology
  let here: RedissonClient
  let there: RedissonClient

  beforeAll(async () => {
    cluster = await startCluster()
    const options = cluster.options({ scanInterval: 500 })
    ;[here, there] = await Promise.all([Redisson.create(options), Redisson.create(options)])
  })

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await cluster.stop()
  })

  const harmed = async (name: string, harm: (owner: RunningNode, slot: number) => Promise<unknown>) => {
    const slot = await slotOf(cluster, name)
    return async () => harm(await ownerOf(cluster, slot), slot)
  }

  it('tell of the gap when the slot of a sharded topic has moved, and bring all messages after it', async () => {
    const heard: Heard = []
    const listening = await here.getShardedTopic<number>('moved').addListener((each) => heard.push(each))
    noting(heard)(listening)
    const topic = there.getShardedTopic<number>('moved')
    const harm = await harmed('moved', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
    await followed(heard, (message) => topic.publish(message), harm)
    await listening.unsubscribe()
  })

  it('lose no message of a topic without a gap when a slot moves', async () => {
    const heard: Heard = []
    const listening = await here.getTopic<number>('stays').addListener((each) => heard.push(each))
    noting(heard)(listening)
    const topic = there.getTopic<number>('stays')
    const harm = await harmed('stays', async (owner, slot) => {
      const target = (await mastersOf(cluster)).find((node) => node !== owner) as RunningNode
      await migrateSlot(cluster, slot, target)
    })
    for (let sent = 0; sent < 10; sent += 1) await topic.publish(sent)
    await harm()
    for (let sent = 10; sent < 20; sent += 1) await topic.publish(sent)
    await eventually(() => expect(numbersIn(heard).at(-1)).toBe(19))
    demandOrder(
      heard,
      Array.from({ length: 20 }, (_, n) => n),
    )
    await listening.unsubscribe()
  })

  it('tell of the gap of a sharded topic whose node has failed, and bring all messages after it', async () => {
    const heard: Heard = []
    const listening = await here.getShardedTopic<number>('failed').addListener((each) => heard.push(each))
    noting(heard)(listening)
    const topic = there.getShardedTopic<number>('failed')
    const harm = await harmed('failed', async (owner, slot) => {
      await owner.kill()
      await newOwnerOf(cluster, slot, owner)
    })
    await followed(heard, (message) => topic.publish(message), harm)
    await listening.unsubscribe()
  })
})

describe('topics at servers with sentinels that fail over', () => {
  let set: SentinelTopology
  let here: RedissonClient
  let there: RedissonClient

  beforeAll(async () => {
    set = await startSentinel()
    ;[here, there] = await Promise.all([Redisson.create(set.options()), Redisson.create(set.options())])
  })

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await set.stop()
  })

  it('tell of the gap of topics, patterns and sharded topics, and bring all messages after it', async () => {
    const lists: Heard[] = [[], [], []]
    const [plain = [], pattern = [], sharded = []] = lists
    const subscriptions = [
      await here.getTopic<number>('failed').addListener((each) => plain.push(each)),
      await here.getPatternTopic<number>('fail*').addListener((each) => pattern.push(each)),
      await here.getShardedTopic<number>('failed').addListener((each) => sharded.push(each)),
    ]
    for (const [at, subscription] of subscriptions.entries()) noting(lists[at] as Heard)(subscription)
    const topic = there.getTopic<number>('failed')
    const shardedTopic = there.getShardedTopic<number>('failed')
    let failover: Promise<unknown> | undefined
    const harm = async () => {
      const master = await masterOf(set)
      await master.kill()
      await newMasterOf(set, master)
    }
    const both = Promise.withResolvers<undefined>()
    let ready = 0
    const once = async () => {
      ready += 1
      if (ready === 2) both.resolve(undefined) // until then the other one publishes
      await both.promise
      await (failover ??= harm())
    }
    // What is published at the topic reaches its pattern as well.
    await Promise.all([
      followed(plain, (message) => topic.publish(message), once),
      followed(sharded, (message) => shardedTopic.publish(message), once),
    ])
    await eventually(() => expect(pattern.at(-1)).toBe(plain.at(-1)))
    expect(pattern.filter((each) => each === 'gap')).toHaveLength(1)
    expect(numbersIn(pattern)).toEqual(numbersIn(plain))
    await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()))
  })
})
