import { CommandError } from './command-error.js'
import type { Bytes, Reply } from './reply.js'
import type { Server } from './server.js'

export const SLOTS = 16_384

/** A node of a cluster. */
export interface ClusterNode {
  readonly id: Bytes
  readonly host: Bytes
  readonly port: number
  readonly server: Server
  /** The node that it replicates; undefined for a master. */
  master: ClusterNode | undefined
  /** Whether the others take it for failed. */
  hasFailed: boolean
}

/** A slot on its way from one master to another. */
export interface Move {
  readonly from: ClusterNode
  readonly to: ClusterNode
}

/** What the nodes of a cluster know of it. All of them know the same, at once. */
export class Cluster {
  readonly nodes: ClusterNode[] = []
  /** The masters of all slots. */
  readonly owners: (ClusterNode | undefined)[] = Array.from({ length: SLOTS }, () => undefined)
  /** The slots that move. */
  readonly moves = new Map<number, Move>()
  /** Whether nodes refuse all keys while any slot has no owner that works (`cluster-require-full-coverage`). */
  requiresFullCoverage = true
  /** What nodes are called to clients (`cluster-preferred-endpoint-type`). */
  endpoints: 'ip' | 'unknown' = 'ip'

  /** Whether keys are served at all. */
  get isUp(): boolean {
    if (!this.requiresFullCoverage) return true
    const failed = this.nodes.filter(({ hasFailed }) => hasFailed)
    return [undefined, ...failed].every((node) => !this.owners.includes(node))
  }

  nodeOf(server: Server): ClusterNode | undefined {
    return this.nodes.find((node) => node.server === server)
  }

  replicasOf(master: ClusterNode): readonly ClusterNode[] {
    return this.nodes.filter((node) => node.master === master)
  }

  /** Ranges of slots that follow each other and have one owner. */
  get ranges(): readonly Range[] {
    const ranges: Range[] = []
    for (const [slot, owner] of this.owners.entries()) {
      const last = ranges.at(-1)
      if (owner === undefined) continue
      if (last?.owner === owner && last.to === slot - 1) last.to = slot
      else ranges.push({ from: slot, to: slot, owner })
    }
    return ranges
  }
}

/** Slots that follow each other. */
export interface Range {
  readonly from: number
  to: number
  readonly owner: ClusterNode
}

/** What a connection may do besides. */
export interface Leave {
  /** Whether it has just said `ASKING`. */
  readonly isAsking: boolean
  /** Whether it has said `READONLY`, and its command only reads. */
  readonly mayReadReplica: boolean
}

/**
 * Demands that a node serves keys.
 *
 * @param has - whether the node has a key
 * @throws CommandError that leads elsewhere
 */
export function demandPlace(
  { cluster, self }: { readonly cluster: Cluster; readonly self: ClusterNode },
  keys: readonly Bytes[],
  { isAsking, mayReadReplica, has }: Leave & { readonly has: (key: Bytes) => boolean },
): void {
  const [slot, ...others] = [...new Set(keys.map(slotOf))]
  if (slot === undefined) return
  const owner = cluster.owners[slot]
  if (owner === undefined) throw new CommandError('CLUSTERDOWN Hash slot not served')
  if (others.length > 0) throw new CommandError("CROSSSLOT Keys in request don't hash to the same slot")
  if (!cluster.isUp) throw new CommandError('CLUSTERDOWN The cluster is down')
  const move = cluster.moves.get(slot)
  const missing = keys.filter((key) => !has(key))
  if (move?.to === self && isAsking) {
    if (keys.length > 1 && missing.length > 0) throw tryAgain()
    return
  }
  if (owner === self) {
    if (move?.from !== self || missing.length === 0) return
    if (missing.length < keys.length) throw tryAgain()
    throw new CommandError(`ASK ${String(slot)} ${endpointOf(cluster, move.to)}`)
  }
  if (mayReadReplica && self.master === owner) return
  throw new CommandError(`MOVED ${String(slot)} ${endpointOf(cluster, owner)}`)
}

function tryAgain(): CommandError {
  return new CommandError('TRYAGAIN Multiple keys request during rehashing of slot')
}

function endpointOf({ endpoints }: Cluster, { host, port }: ClusterNode): Bytes {
  return `${endpoints === 'ip' ? host : '?'}:${String(port)}`
}

/** What `CLUSTER SLOTS` returns: those that have failed are left out, but for masters. */
export function slotsReply(cluster: Cluster): Reply {
  return cluster.ranges.map(({ from, to, owner }) => [
    from,
    to,
    ...[owner, ...cluster.replicasOf(owner).filter(({ hasFailed }) => !hasFailed)].map(
      ({ host, port, id }): Reply => [cluster.endpoints === 'ip' ? host : null, port, id, []],
    ),
  ])
}

/** What `CLUSTER INFO` returns, as far as clients read it. */
export function clusterInfo(cluster: Cluster): Bytes {
  const { nodes, owners, isUp } = cluster
  const assigned = owners.filter((owner) => owner !== undefined)
  const failed = assigned.filter((owner) => owner.hasFailed).length
  return [
    `cluster_state:${isUp ? 'ok' : 'fail'}`,
    `cluster_slots_assigned:${String(assigned.length)}`,
    `cluster_slots_ok:${String(assigned.length - failed)}`,
    'cluster_slots_pfail:0',
    `cluster_slots_fail:${String(failed)}`,
    `cluster_known_nodes:${String(nodes.length)}`,
    `cluster_size:${String(new Set(assigned).size)}`,
    '',
  ].join('\r\n')
}

/** The remainder of each byte by the polynomial of CRC-16/XMODEM. */
const REMAINDERS = Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8
  for (let bit = 0; bit < 8; bit += 1)
    remainder = ((remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0)) & 0xffff
  return remainder
})

/** The hash slot of a key, by the part in its first braces if there is one. */
export function slotOf(key: Bytes): number {
  const [, tag = key] = /^[^{]*\{([^}]+)\}/s.exec(key) ?? []
  let crc = 0
  for (let at = 0; at < tag.length; at += 1)
    crc = ((crc << 8) & 0xffff) ^ (REMAINDERS[(crc >> 8) ^ tag.charCodeAt(at)] ?? 0)
  return crc % SLOTS
}
