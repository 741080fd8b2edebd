import { askLiving } from './ask-all.js'
import { eventually } from './eventually.js'
import { addressOf, type ClusterTopology, type ServerNode } from './launch/topology.js'

/** Masters are elected once those that are left have noticed the loss. */
const FAILOVER_WITHIN_MS = 30_000

/** The slot of a key. */
export async function slotOf(cluster: ClusterTopology<ServerNode>, key: string): Promise<number> {
  const [slot] = await askLiving(cluster.nodes, (node) => node.command('CLUSTER', 'KEYSLOT', key))
  return Number(slot)
}

/**
 * The master that owns a slot.
 *
 * @throws Error if nodes contradict each other, as they do for a moment after a change
 */
export async function ownerOf<N extends ServerNode>(cluster: ClusterTopology<N>, slot: number): Promise<N> {
  const { owner } = await shardOf(cluster, slot)
  return owner
}

/** The replicas of the master that owns a slot. */
export async function replicasOf<N extends ServerNode>(
  cluster: ClusterTopology<N>,
  slot: number,
): Promise<N[]> {
  const { replicas } = await shardOf(cluster, slot)
  return replicas
}

/** The nodes that own slots. */
export async function mastersOf<N extends ServerNode>(cluster: ClusterTopology<N>): Promise<N[]> {
  const roles = await askLiving(cluster.nodes, async (node) => ({ node, role: await node.command('ROLE') }))
  return roles.filter(({ role }) => Array.isArray(role) && role[0] === 'master').map(({ node }) => node)
}

/** How a replica takes over: with its master's consent by default. */
export interface FailoverOptions {
  readonly mode?: 'FORCE' | 'TAKEOVER'
}

/** Hands a slot, with all others of its master, to a replica; resolves with the new owner. */
export async function failOverSlot<N extends ServerNode>(
  cluster: ClusterTopology<N>,
  slot: number,
  { mode }: FailoverOptions = {},
): Promise<N> {
  const { owner, replicas } = await shardOf(cluster, slot)
  const [replica] = replicas
  if (!replica) throw new Error(`The owner of slot ${slot} has no replica`)
  await replica.command('CLUSTER', 'FAILOVER', ...(mode ? [mode] : []))
  return newOwnerOf(cluster, slot, owner)
}

/** Resolves with a slot's new owner as soon as all living nodes know it. */
export async function newOwnerOf<N extends ServerNode>(
  cluster: ClusterTopology<N>,
  slot: number,
  old: N,
): Promise<N> {
  const what = `an owner of slot ${slot} other than ${addressOf(old)}`
  const takenOver = async (): Promise<N | false> => {
    const owner = await ownerOf(cluster, slot)
    return owner !== old && owner
  }
  return eventually(takenOver, { what, withinMs: FAILOVER_WITHIN_MS })
}

/** What to do while a slot moves. */
export interface MigrationOptions {
  /** Called when the keys have gone and the slot has not: the old owner then replies with `ASK`. */
  readonly midway?: () => Promise<void>
}

/** Moves one slot and its keys to another master; resolves when all nodes know it. */
export async function migrateSlot<N extends ServerNode>(
  cluster: ClusterTopology<N>,
  slot: number,
  target: N,
  { midway }: MigrationOptions = {},
): Promise<void> {
  const opened = await openSlot(cluster, slot, target)
  await opened.moveAll()
  await midway?.()
  await opened.close()
}

/** A slot on its way from one master to another. */
export interface OpenSlot {
  /** Moves some of its keys. */
  readonly move: (...keys: readonly string[]) => Promise<void>
  /** Moves all keys that are still at the old owner. */
  readonly moveAll: () => Promise<void>
  /** Gives the slot to its new owner; resolves when all nodes know it. */
  readonly close: () => Promise<void>
}

/** Begins to move one slot to another master. Its keys are where they were until they are moved. */
export async function openSlot<N extends ServerNode>(
  cluster: ClusterTopology<N>,
  slot: number,
  target: N,
): Promise<OpenSlot> {
  const source = await ownerOf(cluster, slot)
  const [sourceId, targetId] = await Promise.all([idOf(source), idOf(target)])
  await target.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId)
  await source.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId)
  return {
    move: (...keys) => moveKeys(keys, source, target),
    moveAll: () => moveAllKeys(slot, source, target),
    close: async () => {
      // The target first: if the source dropped the slot first, it would have no owner for a moment.
      await target.command('CLUSTER', 'SETSLOT', slot, 'NODE', targetId)
      await source.command('CLUSTER', 'SETSLOT', slot, 'NODE', targetId)
      await newOwnerOf(cluster, slot, source)
    },
  }
}

/** How many keys travel together. */
const KEYS_AT_A_TIME = 100
const MIGRATION_TIMEOUT_MS = 5_000

async function moveAllKeys(slot: number, source: ServerNode, target: ServerNode): Promise<void> {
  for (;;) {
    const keys = (await source.command('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_AT_A_TIME)) as string[]
    if (keys.length === 0) return
    await moveKeys(keys, source, target)
  }
}

async function moveKeys(keys: readonly string[], source: ServerNode, target: ServerNode): Promise<void> {
  await source.command('MIGRATE', target.host, target.port, '', 0, MIGRATION_TIMEOUT_MS, 'KEYS', ...keys)
}

interface Shard<N> {
  readonly owner: N
  readonly replicas: N[]
}

/** One line of `CLUSTER SLOTS`: from, to, the owner, its replicas. */
type SlotRange = readonly [number, number, ...(readonly [string, number, string])[]]
const NO_RANGE: SlotRange = [0, 0]

async function shardOf<N extends ServerNode>({ nodes }: ClusterTopology<N>, slot: number): Promise<Shard<N>> {
  const views = await askLiving(nodes, async (node) => {
    const ranges = (await node.command('CLUSTER', 'SLOTS')) as SlotRange[]
    const [, , ...entries] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? NO_RANGE
    return entries.map((entry) => nodeIn(nodes, entry))
  })
  const owners = new Set(views.map(([owner]) => owner))
  const [owner] = owners
  if (owners.size === 1 && owner) {
    const replicas = views.reduce((fewest, view) => (view.length < fewest.length ? view : fewest)).slice(1)
    return { owner, replicas }
  }
  const named = [...owners].map((node) => (node ? addressOf(node) : 'unknown'))
  throw new Error(
    `Expected the nodes to name one owner of slot ${slot}, got ${named.join(' and ') || 'none'}`,
  )
}

function nodeIn<N extends ServerNode>(
  nodes: readonly N[],
  [host, port]: readonly [string, number, string],
): N {
  const node = nodes.find((candidate) => candidate.port === port)
  if (node) return node
  throw new Error(`${addressOf({ host, port })} is not one of the cluster's nodes`)
}

async function idOf(node: ServerNode): Promise<string> {
  return String(await node.command('CLUSTER', 'MYID'))
}
