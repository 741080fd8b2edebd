import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson } from '../../../src/index.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { sentinel } from '../../support/topologies.js'

/** Node warns of an emitter that has more listeners for an event than this. */
const MOST_LISTENERS = 10

describe('a client that looks for the master for a long time', () => {
  let door: Proxied<typeof sentinel>
  let inquiries: TcpProxy
  const warnings: string[] = []
  const listen = ({ message }: Error) => warnings.push(message)

  beforeAll(async () => {
    process.on('warning', listen)
    const [first] = sentinel.sentinels
    if (first === undefined) throw new Error('Expected a sentinel')
    door = await proxied(sentinel)
    inquiries = await startProxy(first)
  })

  afterAll(async () => {
    process.off('warning', listen)
    await inquiries.close()
    await door.stop()
  })

  it('gives up its first connection to the sentinel once, however often it asks', async () => {
    await using client = await Redisson.create(
      door.options({ sentinelAddresses: [`redis://${addressOf(inquiries)}`], reconnectionDelay: 1 }),
    )
    await client.getBucket('there').set(1)
    let asked = 0
    const enough = Promise.withResolvers<undefined>()
    const count = () => {
      asked += 1
      if (asked > 3 * MOST_LISTENERS) enough.resolve(undefined)
    }
    inquiries.onRequest(/get-master-addr-by-name/i, count, { times: Infinity })
    for (const proxy of door.proxies) {
      proxy.refuse()
      proxy.cut()
    }
    await enough.promise
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    expect(await client.getBucket('there').delete()).toBe(true)
    expect(warnings).toEqual([])
  })
})
