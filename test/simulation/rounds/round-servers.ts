import type { KeyReader } from '../../../chaos/random-use/player/raw.js'
import type * as Library from '../../../src/index.js'
import type { World } from '../world/world.js'
import type { Changes, Circumstances, Topology } from './circumstances.js'
import { ClusterServers } from './cluster-servers.js'
import { IndependentServers } from './independent-servers.js'
import { SentinelServers } from './sentinel-servers.js'
import type { RedisOptions, SimulatedRedis } from './simulated-redis.js'

/** The servers of a round, however they are arranged. */
export interface RoundServers {
  /** All of them that have data. */
  readonly all: readonly SimulatedRedis[]
  /** Those whose data count by now. */
  readonly masters: readonly SimulatedRedis[]
  /** The settings of a client: one for all, and one for each server that stands for itself. */
  readonly connections: readonly [Library.RedissonOptions, ...Library.RedissonOptions[]]
  /** Read keys at once: one for all, and one for each server that stands for itself. */
  readonly readers: readonly [KeyReader, ...KeyReader[]]
  /** Has the servers change their parts at times that the seed decides. Returns how to stop, which ends what goes on. */
  change(changes: Changes): () => void
}

/** How servers are arranged, and read. */
export interface Arrangement {
  /** How far the clock of each server is ahead. */
  readonly serverSkewsMs: readonly number[]
  readonly readMode: NonNullable<Library.SentinelServersOptions['readMode']>
}

/** Starts the servers of a round. */
export function startServers(
  world: World,
  { topology, serverSkewsMs, database, password, readsReplicas }: Circumstances,
  options: RedisOptions,
): RoundServers {
  const common = { ...options, database, ...(password !== undefined && { password }) }
  return new TOPOLOGIES[topology](
    world,
    { serverSkewsMs, readMode: readsReplicas ? 'SLAVE' : 'MASTER' },
    common,
  )
}

const TOPOLOGIES: Readonly<
  Record<Topology, new (world: World, arrangement: Arrangement, options: RedisOptions) => RoundServers>
> = { single: IndependentServers, sentinel: SentinelServers, cluster: ClusterServers }
