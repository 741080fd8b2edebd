import type { Change, KnownReplica } from '../server/replication.js'
import type { World } from '../world/world.js'
import { SimulatedRedis } from './simulated-redis.js'

export interface ReplicaOptions {
  /**
   * How long it takes to synchronize.
   *
   * @defaultValue 0
   */
  readonly syncMs?: number
  /**
   * How long a change is on its way, and its confirmation back.
   *
   * @defaultValue 0.5
   */
  readonly lagMs?: number
}

/** The way from a master to one of its replicas. */
export class ReplicaLink {
  readonly replica: SimulatedRedis
  readonly #world: World
  readonly #master: SimulatedRedis
  readonly #known: KnownReplica
  readonly #lagMs: number
  /** What the master has written, and the replica does not have yet. */
  readonly #underWay: Change[] = []
  #isUp = false
  #hasEnded = false

  /** The replica has what it had before, until it has synchronized. */
  constructor(
    world: World,
    master: SimulatedRedis,
    replica: SimulatedRedis,
    { syncMs = 0, lagMs = 0.5 }: ReplicaOptions,
  ) {
    this.replica = replica
    this.#world = world
    this.#master = master
    this.#lagMs = lagMs
    this.#known = { host: replica.host, port: SimulatedRedis.PORT, offset: 0 }
    replica.server.replica = { masterHost: master.host, masterPort: SimulatedRedis.PORT, isUp: false }
    this.#after(syncMs, replica, () => this.#synchronize())
  }

  /** The master has changed something. */
  send(change: Change): void {
    if (!this.#isUp || this.#hasEnded) return
    this.#underWay.push(change)
    this.#after(this.#lagMs, this.replica, () => this.#arrive())
  }

  /** Has the replica have all at once that the master has. */
  catchUp(): void {
    this.#underWay.length = 0
    this.#copy()
  }

  /** Ends it. What is under way is lost. */
  end(): void {
    this.#hasEnded = true
    this.#underWay.length = 0
    const { replicas } = this.#master.server
    if (replicas.includes(this.#known)) replicas.splice(replicas.indexOf(this.#known), 1)
  }

  #synchronize(): void {
    const { server } = this.replica
    if (server.replica === undefined) return
    this.#copy()
    this.#isUp = true
    server.replica.isUp = true
    const { server: master } = this.#master
    master.replicas.push(this.#known)
    this.#confirm(master.offset)
  }

  #copy(): void {
    const { server } = this.replica
    const { server: master } = this.#master
    for (const database of server.databases) database.clear()
    for (const database of master.databases)
      for (const key of database.keys)
        server.replicate({
          offset: 0,
          keys: [{ database: database.index, key, entry: database.copyOf(key) }],
        })
  }

  #arrive(): void {
    const change = this.#underWay.shift()
    if (change === undefined) return
    this.replica.server.replicate(change)
    this.#confirm(change.offset)
  }

  #confirm(offset: number): void {
    this.#after(this.#lagMs, this.#master, () => this.#master.server.confirmed(this.#known, offset))
  }

  /** Runs something as a server, unless the link has ended by then. */
  #after(ms: number, { loop }: SimulatedRedis, act: () => void): void {
    const { clock } = this.#world
    const run = () => {
      if (!this.#hasEnded) act()
    }
    clock.schedule({ at: clock.now + ms, loop, kind: 'message', what: 'replicate', run })
  }
}
