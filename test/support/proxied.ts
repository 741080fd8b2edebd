import type { HostAndPort } from '../../src/api/redisson-options.js'
import {
  addressOf,
  clusterTopology,
  sentinelTopology,
  singleTopology,
  type ClientTopology,
  type ServerNode,
} from './launch/topology.js'
import { startProxy, type TcpProxy } from './proxy.js'

/** A topology with a proxy in front of every node that holds data. */
export type Proxied<T extends ClientTopology<ServerNode>> = T extends unknown
  ? T & {
      /** In the order of the nodes. */
      readonly proxies: readonly TcpProxy[]
      /** The proxy in front of a node. */
      proxyOf(node: T['nodes'][number]): TcpProxy
    }
  : never

/**
 * Puts a proxy in front of every node that holds data. Clients that connect with its `options()` only ever talk to nodes
 * through the proxies; sentinels are reached directly. `nodes` are the servers themselves.
 *
 * `stop` closes the proxies. The topology behind them remains.
 */
export async function proxied<T extends ClientTopology<ServerNode>>(topology: T): Promise<Proxied<T>> {
  const doors = new Map<ServerNode, TcpProxy>()
  for (const node of topology.nodes) doors.set(node, await startProxy(node))
  const proxies = [...doors.values()]
  const stop = async (): Promise<void> => {
    await Promise.all(proxies.map((proxy) => proxy.close()))
  }
  const proxyOf = (node: ServerNode): TcpProxy => {
    const proxy = doors.get(node)
    if (proxy) return proxy
    throw new RangeError(`Expected a node of the topology, got ${addressOf(node)}`)
  }
  return { ...through(topology, proxyOf, stop), proxies, proxyOf } as unknown as Proxied<T>
}

function through(
  topology: ClientTopology<ServerNode>,
  proxyOf: (node: ServerNode) => HostAndPort,
  stop: () => Promise<void>,
): ClientTopology<ServerNode> {
  const door = (node: ServerNode): HostAndPort => {
    const { host, port } = proxyOf(node)
    return { host, port }
  }
  const natMapper = Object.fromEntries(topology.nodes.map((node) => [addressOf(node), door(node)]))
  switch (topology.kind) {
    case 'single':
      return singleTopology(topology.nodes[0], stop, door(topology.nodes[0]))
    case 'sentinel':
      return sentinelTopology({ ...topology, natMapper }, stop)
    case 'cluster':
      return clusterTopology({ ...topology, natMapper }, stop)
  }
}
