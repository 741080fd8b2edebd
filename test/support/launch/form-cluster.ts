import { eventually } from '../eventually.js'
import { askEach } from './ask-each.js'
import { untilReplicated } from './until-replicated.js'
import type { ServerNode } from './topology.js'

const SLOTS = 16_384
const FORMING = { withinMs: 30_000, what: 'the nodes to form a cluster' }

/** Makes a cluster of nodes that are still alone; resolves when every node can serve. Replicas follow in order. */
export async function formCluster(
  masters: readonly ServerNode[],
  replicas: readonly ServerNode[],
): Promise<void> {
  const nodes = [...masters, ...replicas]
  const ids = await askEach(masters, 'CLUSTER', 'MYID')
  await Promise.all(nodes.map((node, index) => node.command('CLUSTER', 'SET-CONFIG-EPOCH', index + 1)))
  await Promise.all(
    masters.map((master, shard) => master.command('CLUSTER', 'ADDSLOTS', ...slotsOf(shard, masters.length))),
  )
  for (const [index, node] of nodes.entries()) {
    for (const { host, port } of nodes.slice(index + 1)) await node.command('CLUSTER', 'MEET', host, port)
  }
  await Promise.all(
    replicas.map((replica, shard) => {
      const follow = () => replica.command('CLUSTER', 'REPLICATE', String(ids[shard])) // refused until they have met
      return eventually(follow, FORMING)
    }),
  )
  await eventually(async () => {
    for (const node of nodes) await demandReady(node, nodes.length)
  }, FORMING)
  await Promise.all(masters.map((master) => untilReplicated(master, replicas.length / masters.length)))
}

async function demandReady(node: ServerNode, size: number): Promise<void> {
  const facts = String(await node.command('CLUSTER', 'INFO'))
  for (const fact of ['cluster_state:ok', `cluster_slots_ok:${SLOTS}`, `cluster_known_nodes:${size}`]) {
    if (!facts.includes(`${fact}\r`)) throw new Error(`Expected ${fact}, got ${facts}`)
  }
  const shards = (await node.command('CLUSTER', 'SLOTS')) as unknown[][]
  if (shards.some((shard) => shard.length < 4)) throw new Error('A replica is not known everywhere')
  const replication = String(await node.command('INFO', 'replication'))
  if (!/state=online|master_link_status:up/.test(replication)) throw new Error(`No link: ${replication}`)
}

function slotsOf(shard: number, shards: number): number[] {
  const [from, to] = [shard, shard + 1].map((bound) => Math.floor((bound * SLOTS) / shards)) as [
    number,
    number,
  ]
  return Array.from({ length: to - from }, (_, index) => from + index)
}
