import { Cluster, Redis } from 'ioredis'
import type { RedissonEvents } from '../api/events.js'
import type { IoredisClient } from '../api/redisson-options.js'
import type { Config, ServerConfig } from '../config/config.js'
import type { Emitter } from '../util/emitter.js'
import { outside } from '../util/outside.js'
import { ClusterConnection, type ShardedMode } from './cluster-connection.js'
import type { Connection } from './connection.js'
import {
  behaviour,
  clusterBehaviour,
  clusterOptions,
  nodeOptions,
  sentinelOptions,
} from './ioredis-options.js'
import { MasterConnection, type OpenMaster } from './master-connection.js'
import { ReplicatedConnection } from './replicated-connection.js'

type ClusterServers = Extract<ServerConfig, { mode: 'cluster' }>

/** How often a cluster of the user's own client is asked for its shape, unless the client says, in milliseconds. */
const SCAN_INTERVAL_MS = 5000

/** Connects to the servers; rejects when they cannot be reached. */
export async function createConnection(config: Config, events: Emitter<RedissonEvents>): Promise<Connection> {
  const { server } = config
  switch (server.mode) {
    case 'single':
      return master(
        (overrides) => new Redis({ ...nodeOptions(config, server.address, server.database), ...overrides }),
      )
    case 'masterSlave':
      return master(
        (overrides) => new Redis({ ...nodeOptions(config, server.master, server.database), ...overrides }),
      )
    case 'sentinel':
      return master((overrides) => new Redis({ ...sentinelOptions(config, server), ...overrides }))
    case 'replicated':
      return connected(new ReplicatedConnection(server, config, events))
    case 'cluster':
      return cluster(openCluster(server), server.shardedSubscriptionMode)
    case 'ioredis':
      return likeIoredis(server.client)
  }

  function master(open: OpenMaster): Promise<Connection> {
    return connected(new MasterConnection(open, config, events))
  }

  function openCluster(servers: ClusterServers): Cluster {
    const nodes = servers.nodes.map(({ host, port }) => ({ host, port }))
    return outside(() => new Cluster(nodes, clusterOptions(config, servers)))
  }

  function cluster(client: Cluster, mode: ShardedMode): Promise<Connection> {
    return connected(new ClusterConnection(client, mode, config, events))
  }

  function likeIoredis(client: IoredisClient): Promise<Connection> {
    return isCluster(client)
      ? cluster(likeCluster(client), 'AUTO')
      : master((overrides) => likeRedis(client as unknown as Redis, overrides))
  }

  function likeRedis(client: Redis, overrides: object): Redis {
    return outside(() => client.duplicate({ ...behaviour(config), ...overrides }))
  }

  function likeCluster(client: Cluster): Cluster {
    const { retryStrategy: _, ...node } = behaviour(config)
    const scanIntervalMs = client.options.slotsRefreshInterval ?? SCAN_INTERVAL_MS
    return outside(() =>
      client.duplicate([], { ...clusterBehaviour(config, scanIntervalMs), redisOptions: node }),
    )
  }
}

async function connected(connection: Connection & { connect(): Promise<void> }): Promise<Connection> {
  try {
    await connection.connect()
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Asks by a mark and not by class, because the program may have another copy of ioredis. */
function isCluster(client: IoredisClient): client is Cluster {
  return 'isCluster' in client && client.isCluster === true
}
