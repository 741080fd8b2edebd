import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { holdNext, MANY_COPIES } from '../../support/held-request.js'
import { iteratorOf } from '../../support/iterator-of.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

/** More than any test takes. */
const LONG_MS = 60_000

/** Of the second delivery: the group, the consumer, for how long the message shall have been pending, its id, and the number of its deliveries. */
const GIVE_BACK = / g \S+ 60000 \d+-\d+ 2\b/

describe('the first copy of a nack() of a stream that arrives after the message was delivered again', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let client: RedissonClient

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
    client = await Redisson.create(door.options(MANY_COPIES))
  })

  afterEach(async () => {
    await proxy.heal()
    await straight.getStream('late-nacks').delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it('leaves the delivery as it is', async () => {
    const stream = straight.getStream<string, number>('late-nacks')
    const consumer = client.getStream<string, number>('late-nacks').consumer('g', { claimIdleMs: LONG_MS })
    const messages = iteratorOf(consumer)
    await stream.add({ n: 1 })
    await (await messages.next()).value?.nack() // the server knows the script from now on
    const delivery = (await messages.next()).value
    expect(delivery?.deliveries).toBe(2)
    const arrive = holdNext(proxy, GIVE_BACK)
    await delivery?.nack()
    const again = (await messages.next()).value
    expect(again?.deliveries).toBe(3)
    await arrive()
    const [[, , idleMs, deliveries] = []] = (await single.nodes[0].command(
      'XPENDING',
      'late-nacks',
      'g',
      '-',
      '+',
      10,
    )) as [string, string, number, number][]
    expect(deliveries).toBe(3)
    expect(idleMs).toBeLessThan(LONG_MS)
    await again?.ack()
    await messages.return?.()
  })
})
