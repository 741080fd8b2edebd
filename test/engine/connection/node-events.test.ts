import { Cluster } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { readAll } from '../../support/break-connections.js'
import { eventually } from '../../support/eventually.js'
import { addressOf } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster } from '../../support/topologies.js'

type Door = Proxied<typeof cluster>

const EVENTS = ['connected', 'disconnected', 'reconnected'] as const

/** Collects what happens to connections for commands, by address. */
function collect(client: RedissonClient): Map<string, string[]> {
  const heard = new Map<string, string[]>()
  for (const event of EVENTS) {
    client.on(event, ({ address, purpose, ...more }) => {
      if (purpose !== 'commands') return
      const withCause = 'cause' in more && !(more.cause instanceof Error) ? `${event} without a cause` : event
      heard.set(address, [...(heard.get(address) ?? []), withCause])
    })
  }
  return heard
}

/** The client of a program. Its replicas are connected as well, if it reads there. */
const sharedCluster = (door: Door, scaleReads: 'master' | 'all') =>
  new Cluster(
    door.proxies.map(({ host, port }) => ({ host, port })),
    {
      natMap: Object.fromEntries(door.nodes.map((node) => [addressOf(node), door.proxyOf(node)])),
      clusterRetryStrategy: () => 5,
      retryDelayOnFailover: 0,
      scaleReads,
    },
  )

describe('the events of the client of a cluster', () => {
  noLeaks(cluster)

  const masters = cluster.nodes.slice(0, cluster.nodes.length / 2)

  const ways: readonly [
    how: string,
    nodes: typeof cluster.nodes,
    options: (door: Door) => RedissonOptions,
  ][] = [
    ['that uses masters', masters, (door) => door.options()],
    ['that reads at replicas', cluster.nodes, (door) => door.options({ readMode: 'SLAVE' })],
    ['like one of ioredis', masters, (door) => ({ ioredis: sharedCluster(door, 'master') })],
    ['that is shared', masters, (door) => ({ ioredis: sharedCluster(door, 'master'), share: true })],
    [
      'that is shared and reads anywhere',
      cluster.nodes,
      (door) => ({ ioredis: sharedCluster(door, 'all'), share: true }),
    ],
  ]

  it.each(ways)('%s are of one connection to each node', async (_, nodes, options) => {
    const door = await proxied(cluster)
    const settings = options(door)
    const theirs = (settings as { readonly ioredis?: Cluster }).ioredis
    const client = await Redisson.create(settings)
    const heard = collect(client)
    const expectAll = async (events: readonly string[]) => {
      const expected = new Map(nodes.map((node) => [addressOf(door.proxyOf(node)), events]))
      await eventually(async () => {
        await readAll(client)
        return [...heard.values()].flat().length >= events.length * nodes.length
      })
      expect(new Map([...heard].sort())).toEqual(new Map([...expected].sort()))
    }
    await expectAll(['connected'])
    for (const proxy of door.proxies) proxy.cut()
    await expectAll(['connected', 'disconnected', 'reconnected'])
    for (const proxy of door.proxies) proxy.cut()
    await expectAll(['connected', 'disconnected', 'reconnected', 'disconnected', 'reconnected'])
    await client.shutdown()
    theirs?.disconnect()
    await door.stop()
  })
})
