import { repeat } from '../world/disturbances.js'
import type { World } from '../world/world.js'
import { FATES, type Changes } from './circumstances.js'
import type { Arrangement, RoundServers } from './round-servers.js'
import { credentialsOf, type RedisOptions, type SimulatedRedis } from './simulated-redis.js'
import { SimulatedSentinels } from './simulated-sentinels.js'

const HOSTS = {
  servers: ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  sentinels: ['10.0.1.1', '10.0.1.2', '10.0.1.3'],
}

/** A master with replicas, and sentinels. */
export class SentinelServers implements RoundServers {
  readonly #world: World
  readonly #options: RedisOptions
  readonly #readMode: Arrangement['readMode']
  readonly #set: SimulatedSentinels

  constructor(world: World, { readMode }: Arrangement, options: RedisOptions) {
    this.#readMode = readMode
    this.#world = world
    this.#options = options
    this.#set = new SimulatedSentinels(world, HOSTS, options)
  }

  get all(): readonly SimulatedRedis[] {
    return this.#set.servers
  }

  get masters(): readonly SimulatedRedis[] {
    return [this.#set.master]
  }

  get connections(): RoundServers['connections'] {
    const { database = 0 } = this.#options
    return [
      {
        sentinelServersConfig: {
          ...this.#set.config,
          database,
          readMode: this.#readMode,
          ...credentialsOf(this.#options),
        },
      },
    ]
  }

  get readers(): RoundServers['readers'] {
    const master = () => this.#set.master
    return [
      {
        hgetall: (key) => master().reader.hgetall(key),
        zscore: (key, member) => master().reader.zscore(key, member),
        now: () => master().reader.now(),
        remainsOf: (clientIds) => master().reader.remainsOf(clientIds),
        disconnect: () => undefined,
      },
    ]
  }

  /** The new master has all that the old one had, so that all promises hold. */
  change({ failover }: Changes): () => void {
    const set = this.#set
    return repeat(this.#world, 'failover', failover, (chance, oldMs) => {
      const knownAfterMs = set.sentinels.map(() => chance.between(0, oldMs))
      const replicas = set.servers.filter((server) => server !== set.master)
      set.failOver({ old: chance.pick(FATES), oldMs, knownAfterMs }, chance.pick(replicas))
    })
  }
}
