import type { TopologyName } from './history.js'

/** How many replicas every master has. That number of confirmations includes all of them. */
export const REPLICAS: Readonly<Record<TopologyName, number>> = {
  single: 0,
  sentinel: 2,
  cluster: 1,
  redlock5: 0,
}
