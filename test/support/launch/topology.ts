import type {
  ClusterServersOptions,
  HostAndPort,
  RedissonOptions,
  SentinelServersOptions,
  ServerOptions,
  SingleServerOptions,
} from '../../../src/api/redisson-options.js'

/** A server of a test: where it is, and a way to ask it. */
export interface ServerNode extends HostAndPort {
  /** Sends one command over a connection of its own, which keeps no process alive. */
  command(name: string, ...args: readonly (string | number)[]): Promise<unknown>
}

/** A server that the test has started itself and may therefore stop or freeze. */
export interface RunningNode extends ServerNode {
  /** Its process, where that is one of this machine; it changes with {@link RunningNode.restart}. */
  readonly pid?: number | undefined
  /** Ends the process with SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** Freezes the process with SIGSTOP: its connections stay open, and it replies to nothing. */
  pause(): Promise<void>
  /** Ends a {@link RunningNode.pause}. */
  resume(): Promise<void>
  /** Starts it again on the same port, without its data unless that is on disk; resolves when it replies. A living process is killed first. */
  restart(): Promise<void>
}

/** What all topologies have. */
interface TopologyOf<Kind extends string, N extends ServerNode, Section extends ServerOptions> {
  readonly kind: Kind
  /** The servers that hold data. */
  readonly nodes: readonly N[]
  /** What `Redisson.create` needs to connect; `section` adds to the server section or overrides it. */
  options(section?: Partial<Section>): RedissonOptions
  /** Ends what was started for the topology. */
  stop(): Promise<void>
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One server. */
export interface SingleTopology<N extends ServerNode = RunningNode> extends TopologyOf<
  'single',
  N,
  SingleServerOptions
> {
  readonly nodes: readonly [N]
}

/** A master and its replicas, with sentinels. The first node is the master until a failover. */
export interface SentinelTopology<N extends ServerNode = RunningNode> extends TopologyOf<
  'sentinel',
  N,
  SentinelServersOptions
> {
  readonly masterName: string
  readonly sentinels: readonly N[]
}

/** A cluster. The first half of the nodes are the masters until a failover. */
export type ClusterTopology<N extends ServerNode = RunningNode> = TopologyOf<
  'cluster',
  N,
  ClusterServersOptions
>

/** Masters that know nothing of each other. `options` leads to the first; `each` has one topology for every master. */
export interface MastersTopology<N extends ServerNode = RunningNode> extends TopologyOf<
  'masters',
  N,
  SingleServerOptions
> {
  readonly each: readonly SingleTopology<N>[]
}

/** The topologies that one client can be connected to. */
export type ClientTopology<N extends ServerNode = RunningNode> =
  SingleTopology<N> | SentinelTopology<N> | ClusterTopology<N>

export type Topology<N extends ServerNode = RunningNode> = ClientTopology<N> | MastersTopology<N>

/** Addresses by the `host:port` that servers announce to each other. */
export type NatTable = Readonly<Record<string, HostAndPort>>

type Stop = () => Promise<void>

/** `door` is where clients come in, if that is not the node itself. */
export function singleTopology<N extends ServerNode>(
  node: N,
  stop: Stop,
  door: HostAndPort = node,
): SingleTopology<N> {
  return {
    kind: 'single',
    nodes: [node],
    options: (section) => ({ singleServerConfig: { address: urlOf(door), ...section } }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function sentinelTopology<N extends ServerNode>(
  set: {
    readonly masterName: string
    readonly nodes: readonly N[]
    readonly sentinels: readonly N[]
    readonly natMapper?: NatTable
  },
  stop: Stop,
): SentinelTopology<N> {
  const { masterName, nodes, sentinels, natMapper } = set
  const found = { masterName, sentinelAddresses: sentinels.map(urlOf), ...(natMapper && { natMapper }) }
  return {
    kind: 'sentinel',
    masterName,
    nodes,
    sentinels,
    options: (section) => ({ sentinelServersConfig: { ...found, ...section } }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function clusterTopology<N extends ServerNode>(
  cluster: { readonly nodes: readonly N[]; readonly natMapper?: NatTable },
  stop: Stop,
): ClusterTopology<N> {
  const { nodes, natMapper } = cluster
  const seeds = nodes.map((node) => natMapper?.[addressOf(node)] ?? node)
  const found = { nodeAddresses: seeds.map(urlOf), ...(natMapper && { natMapper }) }
  return {
    kind: 'cluster',
    nodes,
    options: (section) => ({ clusterServersConfig: { ...found, ...section } }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

export function mastersTopology<N extends ServerNode>(nodes: readonly N[], stop: Stop): MastersTopology<N> {
  const each = nodes.map((node) => singleTopology(node, nothingToStop))
  const [first] = each
  if (!first) throw new RangeError('Expected at least one master, got none')
  return {
    kind: 'masters',
    nodes,
    each,
    options: (section) => first.options(section),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** `host:port`, as servers write it. */
export function addressOf({ host, port }: HostAndPort): string {
  return `${host}:${port}`
}

/** For topologies that are stopped elsewhere. */
export async function nothingToStop(): Promise<void> {}

function urlOf(address: HostAndPort): string {
  return `redis://${addressOf(address)}`
}
