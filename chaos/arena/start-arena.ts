import type { TopologyName } from '../history.js'
import type { Arena } from './arena.js'
import { startClusterArena } from './cluster.js'
import { startIndependentArena } from './independent.js'
import { startSentinelArena } from './sentinel.js'
import { startSingleArena } from './single.js'

/** Starts the servers of a topology. */
export function startArena(topology: TopologyName): Promise<Arena> {
  switch (topology) {
    case 'single':
      return startSingleArena()
    case 'sentinel':
      return startSentinelArena()
    case 'cluster':
      return startClusterArena()
    case 'redlock5':
      return startIndependentArena(5)
  }
}
