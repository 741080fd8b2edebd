import { Cluster } from 'ioredis'
import { expect, it, describe } from 'vitest'
import { Redisson } from '../../../src/client/redisson.js'
import { breakAll, expectFlat, NAMES, readAll } from '../../support/break-connections.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied } from '../../support/proxied.js'
import { cluster, everyTopology, sentinel } from '../../support/topologies.js'

const SETTINGS = { retryAttempts: 50, retryDelay: 10, reconnectionDelay: 5 } as const

/** How often all connections break. A cluster has seven, and a client like one of ioredis waits for longer between its attempts. */
const ROUNDS = 30
const FEWER_ROUNDS = 8

describe('a client whose connections break again and again', () => {
  it.each(everyTopology)('keeps nothing of those that are gone ($kind)', async (topology) => {
    const door = await proxied(topology)
    const client = await Redisson.create(door.options(SETTINGS))
    await expectFlat(() => breakAll(client, door.proxies), ROUNDS)
    await client.shutdown()
    await door.stop()
  })

  it('keeps nothing of those that are gone (replicated)', async () => {
    const door = await proxied(sentinel)
    const nodeAddresses = door.proxies.map((proxy) => `redis://${addressOf(proxy)}`)
    const client = await Redisson.create({ replicatedServersConfig: { nodeAddresses, ...SETTINGS } })
    await expectFlat(() => breakAll(client, door.proxies), ROUNDS)
    await client.shutdown()
    await door.stop()
  })

  it('keeps nothing of those that are gone (a cluster, with credentials that expire)', async () => {
    const door = await proxied(cluster)
    const credentials = () => ({ password: 'any', expiresAt: Date.now() + 3_600_000 }) // the user has no password
    const client = await Redisson.create({ ...door.options({ ...SETTINGS, scanInterval: 20 }), credentials })
    await expectFlat(() => breakAll(client, door.proxies), ROUNDS)
    await client.shutdown()
    await door.stop()
  })

  it.each([false, true])(
    'keeps nothing of those that are gone (a cluster of ioredis, shared: %s)',
    async (share) => {
      const door = await proxied(cluster)
      const natMap = Object.fromEntries(door.nodes.map((node) => [addressOf(node), door.proxyOf(node)]))
      const theirs = new Cluster(
        door.proxies.map(({ host, port }) => ({ host, port })),
        {
          natMap,
          clusterRetryStrategy: () => 5,
          retryDelayOnFailover: 0,
          redisOptions: { maxRetriesPerRequest: 0 },
        },
      )
      const client = await Redisson.create({ ioredis: theirs, share })
      await expectFlat(() => breakAll(client, door.proxies), FEWER_ROUNDS)
      await client.shutdown()
      theirs.disconnect()
      await door.stop()
    },
  )
})

describe('a client of a cluster with a master that is down', () => {
  it('keeps nothing of its attempts to reach it', async () => {
    const door = await proxied(cluster)
    const client = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 0 }))
    const [first] = door.proxies
    await readAll(client)
    first?.refuse()
    first?.cut()
    const tryUntilRefused = async () => {
      const isRefused = () =>
        readAll(client).then(
          () => false,
          () => true,
        )
      while (!(await isRefused()));
    }
    await expectFlat(tryUntilRefused, 60)
    await client.shutdown()
    await door.stop()
  })
})

it('uses a name at each of three masters', async () => {
  const node = cluster.nodes[0] as (typeof cluster.nodes)[number]
  const slots = (await Promise.all(NAMES.map((name) => node.command('CLUSTER', 'KEYSLOT', name)))) as number[]
  expect(new Set(slots.map((slot) => Math.floor((slot * 3) / 16_384))).size).toBe(3)
})
