import type { HostAndPort } from '../../src/api/redisson-options.js'
import { addressOf, type ServerNode, type Topology } from './launch/topology.js'
import { roleOf } from './sentinel-set.js'

/** Sends a command about a key to the server that owns it, whichever that is at the time. */
export async function askOwner(
  topology: Topology<ServerNode>,
  key: string,
  name: string,
  ...args: readonly (string | number)[]
): Promise<unknown> {
  const owner = await ownerOf(topology, key)
  return owner.command(name, key, ...args)
}

/** The server that owns a key: the master, or in a cluster the one that has its slot. */
export async function ownerOf(topology: Topology<ServerNode>, key: string): Promise<ServerNode> {
  switch (topology.kind) {
    case 'single':
      return topology.nodes[0]
    case 'sentinel':
      return masterAmong(topology.nodes)
    case 'cluster':
      return slotOwnerAmong(topology.nodes, key)
    case 'masters':
      throw new TypeError('Expected servers that share their keys')
  }
}

/** Those of the servers that are masters. A replica may lag behind. */
export async function mastersAmong(nodes: readonly ServerNode[]): Promise<readonly ServerNode[]> {
  const roles = await Promise.all(nodes.map(roleOf))
  return nodes.filter((_, index) => roles[index] === 'master')
}

async function masterAmong(nodes: readonly ServerNode[]): Promise<ServerNode> {
  for (const node of nodes) if ((await roleOf(node)) === 'master') return node
  throw new Error('Expected one of the servers to be the master, got none')
}

async function slotOwnerAmong(nodes: readonly ServerNode[], key: string): Promise<ServerNode> {
  for (const node of nodes) {
    const slot = (await node.command('CLUSTER', 'KEYSLOT', key)) as number
    const ranges = (await node.command('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
    const range = ranges.find(([from, to]) => from <= slot && slot <= to)
    if (range !== undefined) return at(nodes, { host: range[2][0], port: range[2][1] })
  }
  throw new Error(`Expected a server to own the slot of ${key}, got none`)
}

function at(nodes: readonly ServerNode[], address: HostAndPort): ServerNode {
  const node = nodes.find((candidate) => addressOf(candidate) === addressOf(address))
  if (node) return node
  throw new Error(`Expected ${addressOf(address)} to be one of the topology's servers`)
}
