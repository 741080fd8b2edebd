import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, sentinel, single } from '../../support/topologies.js'

/** How often the lock goes to and fro; a soak run does it a hundred times as often. */
const ROUNDS = 1000

const arrangements = [
  ['a single server', single, () => single.options()],
  ['a master with sentinels', sentinel, () => sentinel.options()],
  ['a cluster with sharded messages', cluster, () => cluster.options({ shardedSubscriptionMode: 'ON' })],
  ['a cluster with ordinary messages', cluster, () => cluster.options({ shardedSubscriptionMode: 'OFF' })],
] as const

describe.each(arrangements)('two clients that hand a lock to and fro over %s', (_, topology, options) => {
  let clients: RedissonClient[]

  noLeaks(topology)

  beforeAll(async () => {
    clients = await Promise.all([Redisson.create(options()), Redisson.create(options())])
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
  })

  it('miss no wake-up (T-8, T-11)', async () => {
    const resource = new LimitedResource()
    await Promise.all(
      clients.map(async (client) => {
        const lock = client.getLock('ping-pong')
        for (let round = 0; round < ROUNDS; round++) {
          const hold = await lock.acquire({ leaseMs: 600_000 }) // only a message ends the waiting
          await resource.use(() => undefined)
          await hold.unlock()
        }
      }),
    )
    expect(resource.entries).toBe(2 * ROUNDS)
  })

  it('serve both, however many wait in one of them', async () => {
    const [greedy, modest] = clients as [RedissonClient, RedissonClient]
    const order: string[] = []
    const resource = new LimitedResource()
    let done = false
    const crowd = Array.from({ length: 50 }, async () => {
      const lock = greedy.getLock('fair-enough')
      while (!done) await lock.withLock(() => resource.use(() => void order.push('greedy')))
    })
    const lock = modest.getLock('fair-enough')
    try {
      for (let round = 0; round < 10; round++) {
        await lock.withLock(() => resource.use(() => void order.push('modest')))
      }
    } finally {
      done = true
      await Promise.all(crowd)
    }
    const between = order.slice(order.indexOf('modest'), order.lastIndexOf('modest')).join().split('modest')
    expect(between.length).toBe(10)
    // Nine rounds of a crowd, each at most as long as the crowd itself, with room for a lost race or two.
    expect(order.filter((who) => who === 'greedy').length).toBeLessThan(50 * 40)
  })
})

/** Those in which a publisher hears how many listen, and so knows how many others there are. */
const counted = arrangements.slice(0, 3)

describe.each(counted)('four clients with ten waiters each over %s', (_, topology, options) => {
  const TURNS = 200
  let clients: RedissonClient[]

  noLeaks(topology)

  beforeAll(async () => {
    clients = await Promise.all([1, 2, 3, 4].map(() => Redisson.create(options())))
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
  })

  it(
    'take turns: none waits for longer than the guide says, and each gets its share',
    { tags: ['timed'] },
    async () => {
      const resource = new LimitedResource()
      const turns: { readonly client: RedissonClient; readonly at: number }[] = []
      const visit = async (client: RedissonClient) => {
        while (turns.length < TURNS) {
          await client
            .getLock('in-turns')
            .withLock(() =>
              resource.use(
                () => turns.at(-1)?.client === client || turns.push({ client, at: performance.now() }),
              ),
            )
        }
      }
      const startedAt = performance.now()
      await Promise.all(clients.flatMap((client) => Array.from({ length: 10 }, () => visit(client))))
      for (const client of clients) {
        const own = turns.filter((turn) => turn.client === client).map(({ at }) => at)
        const waits = own.map((at, index) => at - (own[index - 1] ?? startedAt))
        expect(Math.max(...waits)).toBeLessThan((clients.length - 1) * 1000)
        expect(own.length).toBeGreaterThan(TURNS / clients.length / 2)
      }
    },
  )
})
