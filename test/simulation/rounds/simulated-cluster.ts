import type { KeyReader } from '../../../chaos/random-use/player/raw.js'
import { Cluster, slotOf, SLOTS, type ClusterNode } from '../server/cluster.js'
import type { World } from '../world/world.js'
import { SimulatedRedis, type RedisOptions } from './simulated-redis.js'
import type { Failover } from './simulated-sentinels.js'

/** How long a node has to be away until the others take it for failed (`cluster-node-timeout`). */
const NODE_TIMEOUT_MS = 2_000

/** A cluster in a simulated world: masters that divide the slots between them, and their replicas. */
export class SimulatedCluster {
  readonly cluster = new Cluster()
  readonly nodes: readonly SimulatedRedis[]
  readonly #world: World
  readonly #options: RedisOptions

  /**
   * @param hosts - the addresses of the masters
   * @param replicas - the addresses of replicas, of the first master, the second, and so on
   */
  constructor(
    world: World,
    hosts: readonly string[],
    options: RedisOptions,
    replicas: readonly string[] = [],
  ) {
    this.#world = world
    this.#options = options
    this.nodes = [...hosts, ...replicas].map((host) => new SimulatedRedis(world, host, options))
    for (const [n, redis] of this.nodes.entries()) this.#join(redis, n)
    const { nodes } = this.cluster
    for (let slot = 0; slot < SLOTS; slot += 1)
      this.cluster.owners[slot] = nodes[Math.floor((slot * hosts.length) / SLOTS)]
    for (const [n, replica] of this.nodes.slice(hosts.length).entries())
      this.#follow(replica, this.nodes[n % hosts.length] as SimulatedRedis)
  }

  /** Those that are masters by now. */
  get masters(): readonly SimulatedRedis[] {
    return this.nodes.filter((redis) => this.#nodeOf(redis).master === undefined)
  }

  /** Ends a node for good: after a while the others take it for failed. */
  kill(redis: SimulatedRedis): void {
    const { clock, network } = this.#world
    network.away(redis.address)
    const node = this.#nodeOf(redis)
    const run = () => (node.hasFailed = true)
    const at = clock.now + NODE_TIMEOUT_MS
    clock.schedule({ at, loop: clock.outside, kind: 'timer', what: 'failed', run })
  }

  /** Has the replica of a master take over its slots. It ends moves of slots to and from the old one first. */
  failOver(
    old: SimulatedRedis,
    { loses = false, old: fate, oldMs = 5_000 }: Pick<Failover, 'loses' | 'old' | 'oldMs'> = {},
  ): void {
    const node = this.#nodeOf(old)
    const [next] = this.cluster.replicasOf(node)
    if (next === undefined) throw new RangeError(`${old.address} has no replica`)
    for (const { from, to } of this.cluster.moves.values()) if (from === node || to === node) this.endMoves()
    const redis = this.#redisOf(next)
    old.endReplication({ loses })
    redis.promote()
    next.master = undefined
    for (const [slot, owner] of this.cluster.owners.entries())
      if (owner === node) this.cluster.owners[slot] = next
    old.server.leaveSlot()
    for (const replica of [node, ...this.cluster.replicasOf(node)])
      this.#follow(this.#redisOf(replica), redis)
    if (fate === 'away') this.#world.network.away(old.address, oldMs)
    if (fate === 'frozen') this.#world.network.freeze(old.address, oldMs)
  }

  /** The node that has a key. */
  ownerOf(key: string): SimulatedRedis {
    return this.#redisOf(this.cluster.owners[slotOf(key)] as ClusterNode)
  }

  /** Whether the slot of a key is on its way. */
  moves(key: string): boolean {
    return this.cluster.moves.has(slotOf(key))
  }

  /** Begins to move the slot of a key. Each key is moved by {@link moveKey}, until {@link endMove}. */
  beginMove(key: string, to: SimulatedRedis): void {
    const from = this.#nodeOf(this.ownerOf(key))
    this.cluster.moves.set(slotOf(key), { from, to: this.#nodeOf(to) })
  }

  /** Moves one key of a slot that moves, with its deadline. */
  moveKey(key: string): void {
    const move = this.cluster.moves.get(slotOf(key))
    const [source, target] = [move?.from.server.databases[0], move?.to.server.databases[0]]
    const entry = source?.find(key)
    if (entry === undefined) return
    source?.remove(key)
    target?.put(key, entry)
  }

  /** Moves what is left of a slot, and has its new owner serve it. */
  endMove(key: string): void {
    this.#endMove(slotOf(key))
  }

  /** The same of all slots that move. */
  endMoves(): void {
    for (const slot of this.cluster.moves.keys()) this.#endMove(slot)
  }

  /** Reads keys at once, also those of slots that move. */
  get reader(): KeyReader {
    const clocks = this.nodes[0] as SimulatedRedis
    return {
      hgetall: (key) => this.#placeOf(key).reader.hgetall(key),
      zscore: (key, member) => this.#placeOf(key).reader.zscore(key, member),
      now: () => clocks.reader.now(),
      remainsOf: async (clientIds) =>
        (await Promise.all(this.masters.map(({ reader }) => reader.remainsOf(clientIds)))).flat(),
      disconnect: () => undefined,
    }
  }

  #endMove(slot: number): void {
    const move = this.cluster.moves.get(slot)
    if (move === undefined) return
    for (const each of move.from.server.databases[0]?.keys ?? [])
      if (slotOf(each) === slot) this.moveKey(each)
    this.cluster.owners[slot] = move.to
    this.cluster.moves.delete(slot)
    move.from.server.leaveSlot(slot)
  }

  #join({ host, server }: SimulatedRedis, n: number): void {
    const self: ClusterNode = {
      id: String(n + 1).padStart(40, '0'),
      host,
      port: SimulatedRedis.PORT,
      server,
      master: undefined,
      hasFailed: false,
    }
    this.cluster.nodes.push(self)
    server.place = { cluster: this.cluster, self }
  }

  #follow(replica: SimulatedRedis, master: SimulatedRedis): void {
    this.#nodeOf(replica).master = this.#nodeOf(master)
    master.addReplica(replica, this.#options.replication)
  }

  #nodeOf({ server }: SimulatedRedis): ClusterNode {
    return this.cluster.nodeOf(server) as ClusterNode
  }

  #redisOf({ server }: ClusterNode): SimulatedRedis {
    return this.nodes.find((redis) => redis.server === server) as SimulatedRedis
  }

  /** Where a key is, or would be. */
  #placeOf(key: string): SimulatedRedis {
    const move = this.cluster.moves.get(slotOf(key))
    const hasLeft = move?.from.server.databases[0]?.find(key) === undefined
    return move !== undefined && hasLeft ? this.#redisOf(move.to) : this.ownerOf(key)
  }
}
