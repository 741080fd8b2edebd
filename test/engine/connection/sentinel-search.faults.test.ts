import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Redisson } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import type { Passing } from '../../support/proxy/trap.js'
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

  it('leaves no rejection unhandled if it is shut down while it listens for failovers again', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => void unhandled.push(error)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
    onTestFinished(() => {
      process.off('unhandledRejection', note)
      for (const other of others) process.on('unhandledRejection', other)
    })
    let subscribed = 0
    const again = Promise.withResolvers<undefined>()
    const act = (passing: Passing) => {
      subscribed += 1
      if (subscribed === 1) return
      passing.swallow()
      again.resolve(undefined)
    }
    inquiries.onReply(/^subscribe \+switch-master/i, act, { times: Infinity })
    const client = await Redisson.create(
      door.options({ sentinelAddresses: [`redis://${addressOf(inquiries)}`], reconnectionDelay: 1 }),
    )
    await eventually(() => subscribed === 1)
    inquiries.cut()
    await again.promise
    await client.shutdown()
    await eventually(() => inquiries.connections.length === 0)
    await nextTurn()
    expect(unhandled).toEqual([])
  })
})
