import type { KeyReader } from '../../../chaos/random-use/player/raw.js'
import type * as Library from '../../../src/index.js'
import type { World } from '../world/world.js'
import type { Arrangement, RoundServers } from './round-servers.js'
import { credentialsOf, SimulatedRedis, type RedisOptions } from './simulated-redis.js'

/** Servers that know nothing of each other. Most rounds have one. */
export class IndependentServers implements RoundServers {
  readonly all: readonly SimulatedRedis[]
  readonly #options: RedisOptions

  constructor(world: World, { serverSkewsMs }: Arrangement, options: RedisOptions) {
    this.#options = options
    this.all = serverSkewsMs.map(
      (skewMs, n) => new SimulatedRedis(world, `10.0.0.${String(n + 1)}`, { ...options, skewMs }),
    )
  }

  get masters(): readonly SimulatedRedis[] {
    return this.all
  }

  get connections(): RoundServers['connections'] {
    const { database = 0 } = this.#options
    const connectionOf = ({ address }: SimulatedRedis): Library.RedissonOptions => ({
      singleServerConfig: { address: `redis://${address}`, database, ...credentialsOf(this.#options) },
    })
    return this.all.map(connectionOf) as [Library.RedissonOptions]
  }

  get readers(): RoundServers['readers'] {
    return this.all.map(({ reader }) => reader) as [KeyReader]
  }

  change(): () => void {
    return () => undefined
  }
}
