import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RReliableTopic } from '../../../src/index.js'
import { next } from '../../../src/topics/reliable-topic/reliable-topic.scripts.js'
import { eventually } from '../../support/eventually.js'
import { holdNext, MANY_COPIES } from '../../support/held-request.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

describe('a read of a reliable topic that arrives late', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let client: RedissonClient
  let straight: RedissonClient
  let mine: RReliableTopic<string>
  let topic: RReliableTopic<string>
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
    client = await Redisson.create(door.options(MANY_COPIES))
  })

  beforeEach(() => {
    const name = `late-reads-${String(names++)}`
    mine = client.getReliableTopic(name)
    topic = straight.getReliableTopic(name)
  })

  afterEach(async () => {
    await proxy.heal()
    await mine.removeAllListeners()
    await topic.delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /** Has the server know the script, and the subscriber wait. */
  const settle = async (heard: readonly unknown[]) => {
    await topic.publish('-')
    await eventually(() => expect(heard).toHaveLength(1))
    await eventually(async () => expect(await topic.size()).toBe(0))
  }

  it.each([{}, { subscriber: 'billing' }])('counts no delivery of its message: %o', async (options) => {
    const heard: unknown[] = []
    let arrive = () => Promise.resolve()
    const subscription = await mine.addListener(
      async (message, { deliveries }) => {
        heard.push([message, deliveries])
        if (message !== 'a' || deliveries > 1) return
        await arrive()
        throw new Error('not yet')
      },
      { ...options, retryDelayMs: 0 },
    )
    subscription.on('error', () => undefined)
    await settle(heard)
    arrive = holdNext(proxy, next.sha)
    await topic.publish('a')
    await eventually(() => expect(heard).toHaveLength(3))
    expect(heard).toEqual([
      ['-', 1],
      ['a', 1],
      ['a', 2],
    ])
  })

  it('counts no delivery of a later message, which a listener gets', async () => {
    const heard: unknown[] = []
    const subscription = await mine.addListener(
      (message, { deliveries }) => void heard.push([message, deliveries]),
      { maxDeliveries: 1 },
    )
    subscription.on('error', () => undefined).on('dropped', ({ reason }) => heard.push(reason))
    await settle(heard)
    const arrive = holdNext(proxy, next.sha)
    await topic.publish('a')
    await eventually(() => expect(heard).toHaveLength(2))
    await eventually(async () => expect(await topic.size()).toBe(0))
    proxy.onRequest(next.sha, arrive) // with the read of the next message right behind it
    await topic.publish('b')
    await eventually(() => expect(heard).toHaveLength(3))
    expect(heard).toEqual([
      ['-', 1],
      ['a', 1],
      ['b', 1],
    ])
  })

  it('that has arrived, and is not called, is undone with the end of the subscription', async () => {
    const heard: unknown[] = []
    const options = { subscriber: 'billing', maxDeliveries: 1 }
    const subscription = await mine.addListener((message) => void heard.push(message), options)
    subscription.on('error', () => undefined)
    await settle(heard)
    const lost = proxy.loseReplyTo(next.sha).happened
    await topic.publish('a')
    await lost
    await subscription.unsubscribe()
    await topic.addListener((message, { deliveries }) => void heard.push([message, deliveries]), options)
    await eventually(() => expect(heard).toEqual(['-', ['a', 1]]))
    await topic.removeAllListeners()
  })
})
