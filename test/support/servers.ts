import { askEach } from './launch/ask-each.js'
import { theLauncher } from './launch/choose-launcher.js'
import { onFreePorts } from './launch/free-ports.js'
import { formCluster } from './launch/form-cluster.js'
import type { Fleet, Ground, ServerPlan } from './launch/launcher.js'
import {
  clusterNodePlan,
  replicaPlan,
  sentinelPlan,
  serverPlan,
  type Durability,
} from './launch/server-plans.js'
import { setPace, settleSentinels, type Pace } from './launch/settle-sentinels.js'
import { untilReplicated } from './launch/until-replicated.js'
import {
  clusterTopology,
  mastersTopology,
  sentinelTopology,
  singleTopology,
  type ClusterTopology,
  type MastersTopology,
  type RunningNode,
  type SentinelTopology,
  type SingleTopology,
} from './launch/topology.js'

export interface ServerSettings {
  /**
   * What a server still knows when it is started again.
   *
   * @defaultValue 'nothing'
   */
  readonly durability?: Durability
}

/** Starts one server. */
export async function startSingle({ durability }: ServerSettings = {}): Promise<SingleTopology> {
  const { nodes, stop } = await start(1, (ports, ground) =>
    ports.map((port) => serverPlan(ground, port, durability)),
  )
  return singleTopology(nodes[0] as RunningNode, stop)
}

/** Starts servers that know nothing of each other. */
export async function startMasters(
  count: number,
  { durability }: ServerSettings = {},
): Promise<MastersTopology> {
  const { nodes, stop } = await start(count, (ports, ground) =>
    ports.map((port) => serverPlan(ground, port, durability)),
  )
  return mastersTopology(nodes, stop)
}

export interface SentinelOptions {
  /**
   * How many sentinels there are; more than half of them have to agree. One makes failovers quick and certain: of
   * several, two may each promote a replica, unless they are in a hurry.
   *
   * @defaultValue 3
   */
  readonly sentinels?: number
  /**
   * Milliseconds without an answer after which the master counts as gone. Less than a second needs the hurried pace:
   * otherwise sentinels connect again only once a second, and take a server that merely broke a connection for gone.
   *
   * @defaultValue 1000
   */
  readonly downAfterMs?: number
  /**
   * Milliseconds that a failover may take.
   *
   * @defaultValue 3000
   */
  readonly failoverTimeoutMs?: number
  /**
   * How often sentinels talk to each other and look at the servers: as they do by themselves, or many times a second.
   * By themselves they take some ten seconds to make an old master a replica; in a hurry, one. Versions
   * before 7 cannot be hurried.
   *
   * @defaultValue 'natural'
   */
  readonly pace?: Pace
}

/** Starts a master with two replicas, and sentinels that watch it; resolves when they know of each other. */
export async function startSentinel(options: SentinelOptions = {}): Promise<SentinelTopology> {
  const { sentinels: count = 3, downAfterMs = 1_000, failoverTimeoutMs = 3_000, pace = 'natural' } = options
  const masterName = 'mymaster'
  const quorum = Math.floor(count / 2) + 1
  const { nodes: all, stop } = await start(DATA_NODES + count, (ports, ground) => {
    const [masterPort = 0, ...others] = ports
    const watch = { masterName, masterPort, quorum, downAfterMs, failoverTimeoutMs }
    return [
      serverPlan(ground, masterPort),
      ...others.slice(0, REPLICAS).map((port) => replicaPlan(ground, port, masterPort)),
      ...others.slice(REPLICAS).map((port) => sentinelPlan(ground, port, watch)),
    ]
  })
  const nodes = all.slice(0, DATA_NODES)
  const sentinels = all.slice(DATA_NODES)
  await orStop(stop, async () => {
    const [master] = nodes as [RunningNode]
    await Promise.all([
      settleSentinels(sentinels, { masterName, replicas: REPLICAS }),
      untilReplicated(master, REPLICAS),
    ])
    await setPace(sentinels, pace)
  })
  return sentinelTopology({ masterName, nodes, sentinels }, stop)
}

export interface ClusterOptions {
  /**
   * Milliseconds without an answer after which a node counts as gone.
   *
   * @defaultValue 1000
   */
  readonly nodeTimeoutMs?: number
}

/** Starts a cluster of three masters with a replica each; resolves when every node can serve. */
export async function startCluster({ nodeTimeoutMs = 1_000 }: ClusterOptions = {}): Promise<ClusterTopology> {
  const { nodes, stop } = await start(2 * SHARDS, (ports, ground) =>
    ports.map((port) => clusterNodePlan(ground, port, { nodeTimeoutMs: FORMING_NODE_TIMEOUT_MS })),
  )
  await orStop(stop, async () => {
    await formCluster(nodes.slice(0, SHARDS), nodes.slice(SHARDS))
    await askEach(nodes, 'CONFIG', 'SET', 'cluster-node-timeout', nodeTimeoutMs)
  })
  return clusterTopology({ nodes }, stop)
}

const REPLICAS = 2
const DATA_NODES = 1 + REPLICAS
const SHARDS = 3
/** A node serves nothing for this time after its start, so it is short until the cluster is formed. */
const FORMING_NODE_TIMEOUT_MS = 1_000

type Planner = (ports: readonly number[], ground: Ground) => ServerPlan[]

async function start(count: number, plan: Planner): Promise<Fleet> {
  const launcher = await theLauncher()
  return onFreePorts(count, (ports) => launcher.launch(plan(ports, launcher)))
}

async function orStop(stop: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await stop()
    throw error
  }
}
