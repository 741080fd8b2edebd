import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RReliableQueue } from '../../../src/index.js'
import { take } from '../../../src/queues/reliable-queue/reliable-queue.scripts.js'
import { askOwner } from '../../support/ask-owner.js'
import { holdNext, MANY_COPIES } from '../../support/held-request.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

describe('the first copy of a take whose second one has the reply', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let client: RedissonClient
  let straight: RedissonClient
  let mine: RReliableQueue<string>
  let queue: RReliableQueue<string>
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
    client = await Redisson.create(door.options(MANY_COPIES))
  })

  beforeEach(async () => {
    const name = `copied-takes-${String(names++)}`
    mine = client.getReliableQueue(name)
    queue = straight.getReliableQueue(name)
    await mine.poll() // the server knows the script from now on
  })

  afterEach(async () => {
    await proxy.heal()
    await queue.delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  /** Ends all deliveries, as if their time was over. */
  const endLeases = async () => {
    const leases = `{${queue.name}}:leases`
    for (const delivery of (await askOwner(single, leases, 'ZRANGE', 0, -1)) as string[])
      await askOwner(single, leases, 'ZADD', 1, delivery)
  }

  it('forgives no failure of the delivery', async () => {
    await queue.offer('a')
    const arrive = holdNext(proxy, take.sha)
    const delivery = await mine.poll()
    expect(delivery?.value).toBe('a')
    await delivery?.nack()
    await arrive()
    expect((await queue.poll())?.deliveries).toBe(2)
  })

  it('forgives no failure of a delivery whose time was over', async () => {
    await queue.offer('a')
    const arrive = holdNext(proxy, take.sha)
    expect((await mine.poll())?.value).toBe('a')
    await endLeases()
    const again = await queue.poll()
    expect(again?.deliveries).toBe(2)
    await again?.release()
    await arrive()
    expect((await queue.poll())?.deliveries).toBe(2)
  })

  it.each([
    ['delivers what the lost one has taken', ['a']],
    ['finds nothing', []],
  ])('is followed by one that %s, on a server without memory', async (_, values) => {
    const memory = (most: string) => single.nodes[0].command('CONFIG', 'SET', 'maxmemory', most)
    await queue.offerAll(values)
    proxy.onReply(take.sha, async (passing) => {
      await memory('1')
      passing.cut()
    })
    try {
      expect((await mine.poll(1)).map(({ value }) => value)).toEqual(values)
    } finally {
      await memory('0')
    }
  })

  it('takes nothing where the second one has found nothing', async () => {
    const arrive = holdNext(proxy, take.sha)
    expect(await mine.poll()).toBeUndefined()
    await queue.offer('a')
    await arrive()
    expect(await queue.counts()).toMatchObject({ ready: 1, inFlight: 0 })
  })
})
