import { Cluster, Redis } from 'ioredis'
import type { HostAndPort } from '../../../src/index.js'
import { remainsAt } from './remains-at.js'
import type { AnyLockObject, PermitsObject } from '../objects.js'

/** Whose hold is looked for. */
export interface Claimant {
  /** The ids of the client, and of those that it has at other servers. */
  readonly clientIds: readonly string[]
  /** The whole owner in Redis, where it is known. */
  readonly owner: string | undefined
  /** The permit's id, where there is one. */
  readonly id: string | undefined
}

/** Reads keys of a server, or of the servers of a cluster. */
export interface KeyReader {
  hgetall(key: string): Promise<Record<string, string>>
  zscore(key: string, member: Buffer): Promise<string | null>
  /** The time by which its leases end, in milliseconds since 1970. */
  now(): number
  /** All that is left of clients: keys, and what they hold. */
  remainsOf(clientIds: readonly string[]): Promise<string[]>
  disconnect(): void
}

/** Looks at the keys of Redis, past all proxies and without the library. */
export class RawView implements Disposable {
  readonly #redis: KeyReader
  readonly #others: readonly KeyReader[]

  /** @param others - servers that stand for themselves */
  constructor(redis: KeyReader, others: readonly KeyReader[]) {
    this.#redis = redis
    this.#others = others
  }

  /** Connects to servers, or to the masters of a cluster, and to others that stand for themselves. */
  static connect(servers: readonly HostAndPort[], others: readonly HostAndPort[]): RawView {
    const [first] = servers
    if (first === undefined) throw new RangeError('Expected at least one server, got none')
    const nodes = servers.map(({ host, port }) => ({ host, port }))
    const redis = servers.length === 1 ? new Redis(nodes[0] ?? {}) : new Cluster(nodes)
    return new RawView(
      readerOf(redis),
      others.map(({ host, port }) => readerOf(new Redis({ host, port }))),
    )
  }

  /** How many holds of a claimant Redis knows: of several locks, of the one of which it knows the fewest. */
  async holdsOf(object: AnyLockObject | PermitsObject, claimant: Claimant): Promise<number> {
    switch (object.kind) {
      case 'multi':
        return Math.min(
          ...(await Promise.all(object.members.map((member) => this.holdsOf(member, claimant)))),
        )
      case 'red':
        return await this.#atMajorities(object.name, object.servers, claimant)
      case 'expirable':
        return await this.#lent(object.name, claimant.id ?? '')
      case 'semaphore':
        return Infinity // its permits have no owner
      case 'values': {
        const fields = Object.entries(await this.#redis.hgetall(object.name))
        const held = fields.filter(([, value]) => isOwner(value, claimant)).length
        return held >= object.values.length ? Infinity : 0
      }
      default:
        return countOf(await this.#redis.hgetall(object.name), object.kind === 'write', claimant)
    }
  }

  /** Whether a permit is lent: 1 or 0. */
  async #lent(name: string, id: string): Promise<number> {
    const until = await this.#redis.zscore(`{${name}}:timeout`, Buffer.from(id, 'hex'))
    return until !== null && Number(until) > this.#redis.now() ? 1 : 0
  }

  /** All that is left of clients: keys, and what they hold. */
  async remainsOf(clientIds: readonly string[]): Promise<string[]> {
    const all = [this.#redis, ...this.#others].map((reader) => reader.remainsOf(clientIds))
    return (await Promise.all(all)).flat()
  }

  [Symbol.dispose](): void {
    for (const reader of [this.#redis, ...this.#others]) reader.disconnect()
  }

  /** How many holds independent servers know that each are at a majority of them. */
  async #atMajorities(name: string, servers: number, claimant: Claimant): Promise<number> {
    const all = [this.#redis, ...this.#others].slice(0, servers)
    const hashes = await Promise.all(all.map((redis) => redis.hgetall(name)))
    return holdsAtMajorities(hashes.map((hash) => countOf(hash, false, claimant)))
  }
}

/** A hold may be at another majority than the next one: where a server is late, it has only one of the two. */
function holdsAtMajorities(counts: readonly number[]): number {
  const majority = Math.floor(counts.length / 2) + 1
  const areKnown = (holds: number) =>
    counts.reduce((sum, count) => sum + Math.min(count, holds), 0) >= holds * majority
  let holds = 0
  while (areKnown(holds + 1)) holds += 1
  return holds
}

function readerOf(redis: Redis | Cluster): KeyReader {
  return {
    hgetall: (key) => redis.hgetall(key),
    zscore: (key, member) => redis.zscore(key, member),
    now: () => Date.now(),
    remainsOf: async (clientIds) => {
      const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis]
      return (await Promise.all(nodes.map((node) => remainsAt(node, clientIds)))).flat()
    },
    disconnect: () => {
      redis.disconnect()
    },
  }
}

const WRITER = ':write'

function countOf(hash: Readonly<Record<string, string>>, asWriter: boolean, claimant: Claimant): number {
  const counts = Object.entries(hash).flatMap(([field, count]) => {
    if (field.endsWith(WRITER) !== asWriter) return []
    const owner = asWriter ? field.slice(0, -WRITER.length) : field
    return isOwner(owner, claimant) ? [Number(count)] : []
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

function isOwner(text: string, { clientIds, owner }: Claimant): boolean {
  return owner === undefined ? clientIds.some((id) => text.startsWith(`${id}:`)) : text === owner
}
