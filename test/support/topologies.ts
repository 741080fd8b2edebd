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

/** All three: what a contract promises is tested over each, for `describe.each(everyTopology)('… ($kind)', (topology) => …)`. */
export const everyTopology: readonly ClientTopology<ServerNode>[] = [single, sentinel, cluster]

/** Whether every test runs over every topology, as `npm run test:deep` has it. */
const all = process.env['REDISSON_TEST_TOPOLOGIES'] === 'all'

/** Those that all other tests run over. */
export const topologies: readonly ClientTopology<ServerNode>[] = all ? everyTopology : [single]

/**
 * Those for tests of what a cluster does in its own way: requests that go by slots, and channels that do.
 *
 * The contract of all locks is tested over them too, by each kind. The plain lock has it over a sentinel as well, where no kind has a way
 * of its own.
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
