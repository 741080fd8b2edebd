import { Cluster, slotOf, SLOTS, type ClusterNode } from '../server/cluster.js'
import type { World } from '../world/world.js'
import { SimulatedRedis, type RedisOptions } from './simulated-redis.js'

/** How long a node has to be away until the others take it for failed (`cluster-node-timeout`). */
const NODE_TIMEOUT_MS = 2_000

/** A cluster in a simulated world: masters that divide the slots between them. */
export class SimulatedCluster {
  readonly cluster = new Cluster()
  readonly masters: readonly SimulatedRedis[]
  readonly #world: World

  /** @param hosts - the addresses of the masters */
  constructor(world: World, hosts: readonly string[], options: RedisOptions) {
    this.#world = world
    this.masters = hosts.map((host) => new SimulatedRedis(world, host, options))
    for (const [n, redis] of this.masters.entries()) this.#join(redis, n)
    for (let slot = 0; slot < SLOTS; slot += 1)
      this.cluster.owners[slot] = this.cluster.nodes[Math.floor((slot * hosts.length) / SLOTS)]
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

  /** The node that has a key. */
  ownerOf(key: string): SimulatedRedis {
    const owner = this.cluster.owners[slotOf(key)]
    return this.masters.find(({ server }) => server === owner?.server) as SimulatedRedis
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
    const slot = slotOf(key)
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

  #nodeOf({ server }: SimulatedRedis): ClusterNode {
    return this.cluster.nodeOf(server) as ClusterNode
  }
}
