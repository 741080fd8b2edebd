import { Cluster } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HostAndPort, RedissonOptions } from '../../../src/api/redisson-options.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { askEach } from '../../support/launch/ask-each.js'
import { migrateSlot, mastersOf, ownerOf, slotOf } from '../../support/cluster.js'
import { theLauncher } from '../../support/launch/choose-launcher.js'
import { onFreePorts } from '../../support/launch/free-ports.js'
import { serverPlan } from '../../support/launch/server-plans.js'
import { addressOf } from '../../support/launch/topology.js'
import { cluster } from '../../support/topologies.js'

const NAMES = ['untold:a', 'untold:b', 'untold:c']

/** Everything that goes by the addresses of nodes: requests, all masters, messages, and what waits for a key. */
async function expectWorking(client: RedissonClient): Promise<void> {
  await Promise.all(NAMES.map((name) => client.getBucket(name).set(name)))
  const found = []
  for await (const name of client.getKeys().getKeys({ pattern: 'untold:*' })) found.push(name)
  expect(found.sort()).toEqual(NAMES)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const topic = client.getShardedTopic('news')
  await topic.addListener(resolve)
  await topic.publish('here')
  expect(await promise).toBe('here')
  const taken = client.getScoredSortedSet('waited-for').takeFirst()
  await client.getScoredSortedSet('waited-for').add(1, 'it')
  expect(await taken).toBe('it')
  await Promise.all(NAMES.map((name) => client.getBucket(name).delete()))
}

const ways = {
  'a client of a cluster': (node: HostAndPort): RedissonOptions => ({
    clusterServersConfig: { nodeAddresses: [`redis://${addressOf(node)}`] },
  }),
  'a client like one of ioredis': ({ host, port }: HostAndPort): RedissonOptions => ({
    ioredis: new Cluster([{ host, port }], { lazyConnect: true }),
  }),
}

describe.each(Object.entries(ways))('%s', (_, optionsFor) => {
  describe('whose nodes leave out their hosts', () => {
    beforeEach(() =>
      askEach(cluster.nodes, 'CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'unknown-endpoint'),
    )

    afterEach(() => askEach(cluster.nodes, 'CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip'))

    it('reaches them at the host that it has asked', async () => {
      await using client = await Redisson.create(optionsFor(cluster.nodes[0] as HostAndPort))
      await expectWorking(client)
    })

    it('follows a slot that has moved', async () => {
      await using client = await Redisson.create(optionsFor(cluster.nodes[0] as HostAndPort))
      await client.getBucket('moved').set(1)
      const slot = await slotOf(cluster, 'moved')
      const from = await ownerOf(cluster, slot)
      const to = (await mastersOf(cluster)).find((node) => node !== from) ?? from
      await migrateSlot(cluster, slot, to)
      expect(await client.getBucket('moved').get()).toBe(1)
      await migrateSlot(cluster, slot, from, {
        midway: async () => {
          expect(await client.getBucket('moved').get()).toBe(1) // which is asked for with ASK
        },
      })
      await client.getBucket('moved').delete()
    })
  })

  it('reaches the only node of a cluster, which does not know its own address', async () => {
    const launcher = await theLauncher()
    const fleet = await onFreePorts(1, (ports) =>
      launcher.launch(
        ports.map((port) => {
          const plan = serverPlan(launcher, port)
          return { ...plan, arguments: [...plan.arguments, '--cluster-enabled', 'yes'] }
        }),
      ),
    )
    const [node] = fleet.nodes
    await node?.command('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383)
    await eventually(async () => String(await node?.command('CLUSTER', 'INFO')).includes('cluster_state:ok'))
    const client = await Redisson.create(optionsFor(node as HostAndPort))
    await expectWorking(client)
    await client.shutdown()
    await fleet.stop()
  })
})

it('asks the mapper of addresses where such a node is reached', async () => {
  const [first] = cluster.nodes
  await askEach(cluster.nodes, 'CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'unknown-endpoint')
  const asked = new Set<string>()
  const natMapper = (known: HostAndPort): HostAndPort => {
    asked.add(addressOf(known))
    return known
  }
  const client = await Redisson.create({
    clusterServersConfig: { nodeAddresses: [`redis://${addressOf(first as HostAndPort)}`], natMapper },
  })
  expect([...asked].sort()).toEqual(cluster.nodes.map(addressOf).sort())
  await client.shutdown()
  await askEach(cluster.nodes, 'CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip')
})
