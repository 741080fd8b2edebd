import { inject } from 'vitest'
import type { HostAndPort } from '../../src/api/redisson-options.js'
import { NodeConnection } from './launch/node-connection.js'
import {
  clusterTopology,
  nothingToStop,
  sentinelTopology,
  singleTopology,
  type ClientTopology,
  type ClusterTopology,
  type SentinelTopology,
  type ServerNode,
  type SingleTopology,
} from './launch/topology.js'

/** Where the topologies are that one worker of the run has for itself. */
export interface SharedAddresses {
  readonly single: HostAndPort
  readonly sentinel: {
    readonly masterName: string
    readonly nodes: readonly HostAndPort[]
    readonly sentinels: readonly HostAndPort[]
  }
  readonly cluster: readonly HostAndPort[]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for every worker. */
    readonly sharedTopologies: readonly SharedAddresses[]
  }
}

/** The server that stands alone. Started once per run, as are the others: use them, but do not stop or freeze them. */
export const single: SingleTopology<ServerNode> = singleTopology(node(mine().single), nothingToStop)

/** The master with replicas and sentinels. */
export const sentinel: SentinelTopology<ServerNode> = sentinelTopology(
  {
    masterName: mine().sentinel.masterName,
    nodes: mine().sentinel.nodes.map(node),
    sentinels: mine().sentinel.sentinels.map(node),
  },
  nothingToStop,
)

/** The cluster. */
export const cluster: ClusterTopology<ServerNode> = clusterTopology(
  { nodes: mine().cluster.map(node) },
  nothingToStop,
)

/**
 * All three, for tests of connections, of one lock and of one collection: `describe.each(everyTopology)('… ($kind)', (topology) => …)`.
 *
 * Objects know nothing of sentinels, so that two of them show that all work over one.
 */
export const everyTopology: readonly ClientTopology<ServerNode>[] = [single, sentinel, cluster]

/** Whether every test runs over every topology, as `npm run test:deep` has it. */
const all = process.env['REDISSON_TEST_TOPOLOGIES'] === 'all'

/** Those that all other tests run over. */
export const topologies: readonly ClientTopology<ServerNode>[] = all ? everyTopology : [single]

/**
 * Those that the contract of every object is tested over: a server that stands alone, and a cluster, where requests and channels go by
 * slots.
 */
export const slottedTopologies: readonly ClientTopology<ServerNode>[] = all
  ? everyTopology
  : [single, cluster]

function mine(): SharedAddresses {
  const worker = Number(process.env['VITEST_POOL_ID'])
  const shared = (inject('sharedTopologies') as readonly SharedAddresses[] | undefined)?.[worker - 1]
  if (shared) return shared
  throw new Error('There are no shared topologies here: this file has to be in the project "redis"')
}

function node({ host, port }: HostAndPort): ServerNode {
  const connection = new NodeConnection({ host, port })
  return { host, port, command: (name, ...args) => connection.command(name, ...args) }
}
