import {
  failOverSlot,
  mastersOf,
  migrateSlot,
  newOwnerOf,
  ownerOf,
  replicasOf,
  slotOf,
} from '../../test/support/cluster.js'
import { eventually } from '../../test/support/eventually.js'
import { askEach } from '../../test/support/launch/ask-each.js'
import type { ClusterTopology, RunningNode } from '../../test/support/launch/topology.js'
import { proxied } from '../../test/support/proxied.js'
import { startCluster } from '../../test/support/servers.js'
import type { Arena, Replication, Slots } from './arena.js'
import { demandFollowers } from './demand-followers.js'

/** How often clients ask for the shape of the cluster, so that they hear of a change before long. */
const SCAN_INTERVAL_MS = 500

/** Three masters with a replica each. */
export async function startClusterArena(): Promise<Arena> {
  const cluster = await startCluster({ nodeTimeoutMs: 1_000 })
  const doors = await proxied(cluster)
  const slot = (name: string) => slotOf(cluster, name)
  const owner = async (name: string): Promise<RunningNode> => {
    const number = await slot(name)
    return await eventually(() => ownerOf(cluster, number), { what: `one owner of slot ${number}` })
  }
  const replication: Replication = {
    masterOf: owner,
    replicasOf: async (name) => await replicasOf(cluster, await slot(name)),
    failOver: async (name) => {
      await failOverSlot(cluster, await slot(name))
    },
    untilReplaced: async (name, old) => await newOwnerOf(cluster, await slot(name), old),
  }
  const slots: Slots = {
    othersThan: async (name) => {
      const [masters, home] = await Promise.all([mastersOf(cluster), owner(name)])
      return masters.filter((master) => master !== home)
    },
    move: async (name, target) => migrateSlot(cluster, await slot(name), target),
  }
  return {
    nodes: cluster.nodes,
    proxyOf: (node) => doors.proxyOf(node),
    connections: [doors.options({ scanInterval: SCAN_INTERVAL_MS })],
    homesOf: async (name) => [await owner(name)],
    untilCalm: () => eventually(() => demandCalm(cluster), CALM),
    replication,
    slots,
    stop: async () => {
      await doors.stop()
      await cluster.stop()
    },
  }
}

const CALM = { what: 'the cluster to be whole', withinMs: 60_000 }

/** Demands that half of the nodes are masters with a replica each, and that all of them know that. */
async function demandCalm(cluster: ClusterTopology): Promise<void> {
  const masters = await mastersOf(cluster)
  if (masters.length !== cluster.nodes.length / 2) throw new Error(`There are ${masters.length} masters`)
  for (const master of masters) await demandFollowers(master, 1)
  const views = (await askEach(cluster.nodes, 'CLUSTER', 'SLOTS')) as unknown[][][]
  if (views.some((shards) => shards.some((shard) => shard.length !== 4)))
    throw new Error('A replica is not known everywhere')
}
