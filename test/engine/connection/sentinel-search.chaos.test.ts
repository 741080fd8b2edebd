import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson } from '../../../src/index.js'
import { addressOf, type SentinelTopology } from '../../support/launch/topology.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { masterOf, newMasterOf } from '../../support/sentinel-set.js'
import { startSentinel } from '../../support/servers.js'

/** Longer than the sentinels take to agree on another master. */
const PATIENCE_MS = 20_000

describe('a client that looks for the master while the sentinels announce another one', () => {
  let set: SentinelTopology
  let proxies: readonly TcpProxy[]

  beforeAll(async () => {
    set = await startSentinel()
    proxies = await Promise.all(set.sentinels.map(startProxy))
  })

  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
    await set.stop()
  })

  it('finds it, with every connection that it has', async () => {
    const client = await Redisson.create({
      sentinelServersConfig: {
        masterName: set.masterName,
        sentinelAddresses: proxies.map(addressOf),
        timeout: PATIENCE_MS,
        subscriptionTimeout: PATIENCE_MS,
        reconnectionDelay: 10,
      },
    })
    const heard: unknown[] = []
    const topic = client.getTopic('news')
    await topic.addListener((message) => heard.push(message))
    const announced = Promise.withResolvers<undefined>()
    for (const proxy of proxies)
      proxy.onReply(/get-master-addr-by-name/i, () => announced.promise, { times: Infinity })
    const master = await masterOf(set)
    await master.kill()
    await newMasterOf(set, master)
    await sleep(200) // the news of the other master arrives while the question is open
    announced.resolve(undefined)
    await client.getBucket('there').set(1)
    expect(await client.getBucket('there').get()).toBe(1)
    while (heard.length === 0) {
      await topic.publish('again')
      await sleep(20)
    }
    await client.shutdown()
  })
})
