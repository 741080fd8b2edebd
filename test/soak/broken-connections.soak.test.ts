import { describe, expect, it } from 'vitest'
import { Redisson } from '../../src/client/redisson.js'
import { breakAll, expectFlat } from '../support/break-connections.js'
import { collectGarbage } from '../support/collect-garbage.js'
import { proxied } from '../support/proxied.js'
import { startCluster, startSentinel, startSingle } from '../support/servers.js'
import { full } from './size.js'

/** How many connections break, at least; in each round all of the client's. */
const DISCONNECTIONS = full ? 10_000 : 500

/** What the heap may grow by, in bytes: a connection that is kept takes some 12 000. */
const MARGIN = 8_000_000

const SETTINGS = { retryAttempts: 100, retryDelay: 10, reconnectionDelay: 5 } as const

const heap = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

describe.each([
  ['a single server', startSingle],
  ['a master with sentinels', startSentinel],
  ['a cluster', startCluster],
] as const)('a client of %s whose connections break for long', (_, start) => {
  it('needs no more of anything than at first', { timeout: full ? 1_200_000 : 120_000 }, async () => {
    const topology = await start()
    const door = await proxied(topology)
    const client = await Redisson.create(door.options(SETTINGS))
    let broken = 0
    client.on('disconnected', () => (broken += 1))
    const breakMany = async () => {
      const until = broken + DISCONNECTIONS / 20
      while (broken < until) await breakAll(client, door.proxies)
    }
    await breakMany()
    const before = heap()
    await expectFlat(breakMany, 20)
    expect(broken).toBeGreaterThanOrEqual(DISCONNECTIONS)
    expect(heap()).toBeLessThan(before + MARGIN)
    await client.shutdown()
    await door.stop()
    await topology.stop()
  })
})
