import { askLiving } from './ask-all.js'
import { eventually } from './eventually.js'
import { viewOf } from './launch/sentinel-view.js'
import { addressOf, type SentinelTopology, type ServerNode } from './launch/topology.js'

/** Sentinels that could not agree at once try again, and take their time. */
const FAILOVER_WITHIN_MS = 30_000

/**
 * The node that the sentinels call the master.
 *
 * @throws Error if sentinels contradict each other, as they do for a moment during a failover
 */
export async function masterOf<N extends ServerNode>(set: SentinelTopology<N>): Promise<N> {
  const masters = new Set(
    await askLiving(set.sentinels, (sentinel) => askForMaster(sentinel, set.masterName)),
  )
  const [master] = masters
  const node = set.nodes.find((candidate) => addressOf(candidate) === master)
  if (masters.size === 1 && node) return node
  throw new Error(`Expected the sentinels to name one master, got ${[...masters].join(' and ') || 'none'}`)
}

/**
 * Hands the master's part to a replica, as an operator would; resolves with the new master. Waits first until sentinels
 * have done with a failover before.
 */
export async function failOverSet<N extends ServerNode>(set: SentinelTopology<N>): Promise<N> {
  const [sentinel] = set.sentinels
  await untilCalm(set)
  const old = await masterOf(set)
  await sentinel?.command('SENTINEL', 'FAILOVER', set.masterName)
  return newMasterOf(set, old)
}

/**
 * Resolves when the sentinels have done with a failover, and could go through another. A master that gets lost before that
 * is one they do not replace: they are still busy with the one before.
 */
export async function untilCalm(set: SentinelTopology<ServerNode>): Promise<void> {
  await eventually(() => demandCalm(set), {
    withinMs: FAILOVER_WITHIN_MS,
    what: 'the sentinels to be at rest',
  })
}

/** Resolves with the new master as soon as all sentinels know it and it takes writes. */
export async function newMasterOf<N extends ServerNode>(set: SentinelTopology<N>, old: N): Promise<N> {
  const what = `a master other than ${addressOf(old)}`
  const takesWrites = async (): Promise<N | false> => {
    const master = await masterOf(set)
    return master !== old && (await roleOf(master)) === 'master' && master
  }
  return eventually(takesWrites, { what, withinMs: FAILOVER_WITHIN_MS })
}

/** `master`, `slave` or `sentinel`. */
export async function roleOf(node: ServerNode): Promise<string> {
  const [role] = (await node.command('ROLE')) as [string]
  return role
}

async function askForMaster(sentinel: ServerNode, masterName: string): Promise<string> {
  const answer = await sentinel.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName)
  const [host, port] = answer as [string, string]
  return addressOf({ host, port: Number(port) })
}

/** Demands that every sentinel takes the master for healthy, and knows a replica that could take over. */
async function demandCalm({ sentinels, masterName }: SentinelTopology<ServerNode>): Promise<void> {
  for (const { flags, healthyReplicas } of await askLiving(sentinels, (sentinel) =>
    viewOf(sentinel, masterName),
  )) {
    if (flags !== 'master' || healthyReplicas === 0) {
      throw new Error(`A sentinel sees ${flags} with ${healthyReplicas} healthy replicas`)
    }
  }
}
