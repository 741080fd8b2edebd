import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { Cluster, NodeRole, Redis } from 'ioredis'
import type { HostAndPort } from '../../api/redisson-options.js'
import { notRedis } from '../node/reply-guard.js'

/** A node that is asked for the topology at first. */
interface Seed {
  readonly host: string
  readonly port: number
}

/** One range of `CLUSTER SLOTS`: the first slot, the last one, and the nodes that have them. */
type Range = readonly [number, number, ...(readonly (readonly [string | null, ...unknown[]])[])]

type AskSlots = (subcommand: string, callback: (error: unknown, slots?: readonly Range[]) => void) => unknown

/** Members of ioredis's clusters that its types keep private. */
interface Inside {
  readonly connectionPool: Pool
  natMapper: (node: string | HostAndPort) => HostAndPort
  readyCheck: (callback: (error?: Error) => void) => void
  resolveStartupNodeHostnames: () => Promise<Seed[]>
}

interface Pool {
  getNodes(role: NodeRole): Redis[]
  getSampleInstance: (role: NodeRole) => Redis | undefined
}

const LAST_SLOT = 16_383

/** A redirection that leaves out the host. */
const PORT_ALONE = /^:\d+$/

/**
 * Makes a cluster client of ours work with one node that replies, and fill in what nodes leave out.
 *
 * @param resolves - whether names are resolved to all of their addresses; otherwise they stay, as certificates need it
 */
export function improveCluster(cluster: Cluster, resolves: boolean): Cluster {
  const inside = cluster as unknown as Inside
  if (resolves)
    replace(inside, 'resolveStartupNodeHostnames', (seeds) => async () => await resolved(await seeds()))
  replace(inside.connectionPool, 'getSampleInstance', (anyOf) => readyOf(inside.connectionPool, anyOf))
  replace(inside, 'readyCheck', () => (callback) => {
    callback(cluster.nodes().length > 0 ? undefined : new Error('The cluster names no node'))
  })
  replace(inside, 'natMapper', (map) => (node) => {
    const here = cluster.nodes()[0]?.options.host
    return map(typeof node === 'string' && PORT_ALONE.test(node) ? `${here ?? ''}${node}` : node)
  })
  cluster.on('+node', completeSlots)
  return cluster
}

/** Replaces a method, unless this version of ioredis does not have it. */
function replace<T, K extends keyof T>(object: T, name: K, make: (method: T[K]) => T[K]): void {
  const method = object[name]
  if (typeof method === 'function') object[name] = make(method.bind(object) as T[K])
}

/** Returns all addresses of all names. A name that cannot be resolved stays: the attempt to connect says why. */
async function resolved(seeds: readonly Seed[]): Promise<Seed[]> {
  const hosts = await Promise.all(seeds.map(({ host }) => addressesOf(host)))
  return seeds.flatMap((seed, index) => (hosts[index] ?? []).map((host) => ({ ...seed, host })))
}

function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host])
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      resolve(error ? [host] : found.map(({ address }) => address))
    })
  })
}

/** Prefers connected nodes for commands without a key, because others may never connect. */
function readyOf(pool: Pool, anyOf: Pool['getSampleInstance']): Pool['getSampleInstance'] {
  return (role) => {
    const ready = pool.getNodes(role).filter(({ status }) => status === 'ready')
    return ready[Math.floor(Math.random() * ready.length)] ?? anyOf(role)
  }
}

/** Completes the slots that a node reports: for a node without a host, the host is that of the reporting node. */
function completeSlots(node: Redis): void {
  const { host = null } = node.options
  replace(node, 'duplicate', (duplicate) => (overrides) => {
    const asking = duplicate(overrides)
    replace(
      asking as unknown as { cluster: AskSlots },
      'cluster',
      (ask) => (subcommand, callback) =>
        ask(subcommand, (error, slots) => {
          if (error || areRanges(slots))
            callback(
              error,
              slots?.map((range) => completed(range, host)),
            )
          else callback(notRedis())
        }),
    )
    return asking
  })
}

/** Returns whether a reply is a list of slots with their nodes. ioredis does not check that, and would let the process end. */
function areRanges(reply: unknown): reply is readonly Range[] {
  return (
    Array.isArray(reply) &&
    reply.every(
      (range) => Array.isArray(range) && range[1] <= LAST_SLOT && range.slice(2).every(Array.isArray),
    )
  )
}

function completed([first, last, ...nodes]: Range, host: string | null): Range {
  return [
    first,
    last,
    ...nodes.map(([said, ...more]) => [said === '' ? host : (said ?? host), ...more] as const),
  ]
}
