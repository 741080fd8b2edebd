import { slotOf } from '../server/cluster.js'
import type { Chance } from '../world/chance.js'
import { repeat } from '../world/disturbances.js'
import type { World } from '../world/world.js'
import { FATES, type Changes } from './circumstances.js'
import type { Arrangement, RoundServers } from './round-servers.js'
import { SimulatedCluster } from './simulated-cluster.js'
import { credentialsOf, type RedisOptions, type SimulatedRedis } from './simulated-redis.js'

const MASTERS = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
const REPLICAS = ['10.0.1.1', '10.0.1.2', '10.0.1.3']

/** A cluster of masters with a replica each. */
export class ClusterServers implements RoundServers {
  readonly #world: World
  readonly #options: RedisOptions
  readonly #readMode: Arrangement['readMode']
  readonly #cluster: SimulatedCluster

  constructor(world: World, { readMode }: Arrangement, options: RedisOptions) {
    this.#readMode = readMode
    this.#world = world
    this.#options = options
    this.#cluster = new SimulatedCluster(world, MASTERS, options, REPLICAS)
  }

  get all(): readonly SimulatedRedis[] {
    return this.#cluster.nodes
  }

  get masters(): readonly SimulatedRedis[] {
    return this.#cluster.masters
  }

  get connections(): RoundServers['connections'] {
    const nodeAddresses = this.all.map(({ address }) => `redis://${address}`)
    return [
      { clusterServersConfig: { nodeAddresses, readMode: this.#readMode, ...credentialsOf(this.#options) } },
    ]
  }

  get readers(): RoundServers['readers'] {
    return [this.#cluster.reader]
  }

  /** A new master has all that the old one had, so that all promises hold. */
  change({ failover, move }: Changes): () => void {
    const cluster = this.#cluster
    const stops = [
      repeat(this.#world, 'failover', failover, (chance, oldMs) => {
        cluster.failOver(chance.pick(cluster.masters), { old: chance.pick(FATES), oldMs })
      }),
      repeat(this.#world, 'move', move, (chance, ms) => {
        this.#move(chance, ms)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
      cluster.endMoves()
    }
  }

  /** Moves the slot of a key that there is to another master, each of its keys at a time of its own. */
  #move(chance: Chance, ms: number): void {
    const { masters } = this.#cluster
    const from = chance.pick(masters)
    const keys = from.command('KEYS', '*') as string[]
    if (keys.length === 0) return
    const key = chance.pick(keys)
    if (this.#cluster.moves(key)) return
    this.#cluster.beginMove(key, chance.pick(masters.filter((master) => master !== from)))
    for (const each of keys.filter((other) => slotOf(other) === slotOf(key)))
      this.#after(chance.between(0, ms), () => this.#cluster.moveKey(each))
    this.#after(ms, () => this.#cluster.endMove(key))
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.#world
    clock.schedule({ at: clock.now + ms, loop: clock.outside, kind: 'timer', what: 'move', run })
  }
}
