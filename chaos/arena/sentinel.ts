import { eventually } from '../../test/support/eventually.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import { proxied } from '../../test/support/proxied.js'
import { failOverSet, masterOf, newMasterOf, untilCalm } from '../../test/support/sentinel-set.js'
import { startSentinel } from '../../test/support/servers.js'
import type { Arena, Replication } from './arena.js'
import { demandFollowers } from './demand-followers.js'

/** A master with two replicas, and a sentinel that replaces it. */
export async function startSentinelArena(): Promise<Arena> {
  // One sentinel, in a hurry: failovers are what is wanted here, and not the sentinels' ways to agree.
  const set = await startSentinel({ sentinels: 1, downAfterMs: 500, pace: 'hurried' })
  const doors = await proxied(set)
  const master = () => eventually(() => masterOf(set), { what: 'one master' })
  const replication: Replication = {
    masterOf: master,
    replicasOf: async () => {
      const found = await master()
      return set.nodes.filter((node) => node !== found)
    },
    failOver: async () => {
      await failOverSet(set)
    },
    untilReplaced: (_, old: RunningNode) => newMasterOf(set, old),
  }
  return {
    nodes: set.nodes,
    proxyOf: (node) => doors.proxyOf(node),
    connections: [doors.options()],
    homesOf: async () => [await master()],
    untilCalm: async () => {
      await eventually(async () => demandFollowers(await masterOf(set), set.nodes.length - 1), CALM)
      await untilCalm(set)
    },
    replication,
    stop: async () => {
      await doors.stop()
      await set.stop()
    },
  }
}

const CALM = { what: 'all replicas to follow the master', withinMs: 60_000 }
