import { lookup } from 'node:dns'
import { Cluster, type Redis } from 'ioredis'
import type { RedissonEvents } from '../api/events.js'
import type { IoredisClient } from '../api/redisson-options.js'
import type { Address, Config, ServerConfig } from '../config/config.js'
import { ConfigError } from '../errors/client-errors.js'
import type { Emitter } from '../util/emitter.js'
import { withoutAsyncContext } from '../util/time/without-async-context.js'
import { ClusterConnection } from './cluster/cluster-connection.js'
import type { Connection } from './connection.js'
import { CredentialsCache, type Logins } from './login/credentials-cache.js'
import { Failures } from './login/failures.js'
import { openLike, openRedis } from './login/handshake.js'
import { InitialConnection } from './login/initial-connection.js'
import {
  asNamed,
  baseOptions,
  clusterBehaviour,
  clusterOptions,
  named,
  nodeOptions,
  orAsNamed,
  OWN_REPLIES,
  sentinelOptions,
} from './login/ioredis-options.js'
import { MasterConnection, type OpenMaster, type Surroundings } from './master/master-connection.js'
import { improveCluster } from './cluster/own-cluster.js'
import { ReplicatedConnection } from './master/replicated-connection.js'
import { MasterKnowledge } from './master/sentinel-replies.js'
import { sentinelConnector } from './master/sentinel-connector.js'
import { hasSelectedAnother, OWN_DATABASE } from './requests/shared-guard.js'

/** The settings of one mode. */
type Servers<Mode extends ServerConfig['mode']> = Extract<ServerConfig, { readonly mode: Mode }>

/** A connection that has yet to be opened. */
type Closed = Connection & { connect(): Promise<void> }

/** How often to request the topology of a cluster if the user's own client does not say it, in milliseconds. */
const SCAN_INTERVAL_MS = 5000

/** Connects to the servers; rejects if they cannot be reached. A lazy client goes on in the background. */
export async function createConnection(
  settings: Config,
  events: Emitter<RedissonEvents>,
): Promise<Connection> {
  const logins = loginsOf(settings)
  const failures = new Failures(settings, logins)
  const contact = new InitialConnection(settings, failures)
  const config: Config = { ...settings, reconnectionDelay: contact.delay }
  return await opened(connectionTo({ config, events, failures, contact, logins }), settings.lazy)
}

/** Returns the caches of credentials, where the program is asked for them. */
function loginsOf({ credentialsProvider, connectTimeoutMs, reconnectionDelay, server }: Config): Logins {
  const how = { withinMs: connectTimeoutMs, pauseMs: reconnectionDelay }
  const askSentinels = server.mode === 'sentinel' ? server.sentinelCredentialsProvider : undefined
  return {
    servers:
      credentialsProvider &&
      new CredentialsCache({ setting: 'credentials', ask: credentialsProvider, ...how }),
    sentinels:
      askSentinels && new CredentialsCache({ setting: 'sentinelCredentials', ask: askSentinels, ...how }),
  }
}

async function opened(connection: Closed, lazy: boolean): Promise<Connection> {
  const connecting = connection.connect()
  try {
    if (lazy)
      connecting.catch(() => undefined) // calls say themselves why there is no connection
    else await connecting
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

function connectionTo(surroundings: Surroundings): Closed {
  const { server } = surroundings.config
  switch (server.mode) {
    case 'single':
      return new MasterConnection(redisAt(server.address, server.database, surroundings), surroundings)
    case 'masterSlave':
      return new MasterConnection(redisAt(server.master, server.database, surroundings), surroundings)
    case 'sentinel':
      return new MasterConnection(redisBehind(server, surroundings), surroundings)
    case 'replicated':
      return new ReplicatedConnection(server, surroundings)
    case 'cluster':
      return new ClusterConnection(
        clusterOf(server, surroundings),
        { mode: server.shardedSubscriptionMode, scanIntervalMs: server.scanIntervalMs },
        surroundings,
      )
    case 'ioredis':
      return likeIoredis(server, surroundings)
  }
}

function redisAt(address: Address, database: number, { config, logins }: Surroundings): OpenMaster {
  return (overrides) => openRedis({ ...nodeOptions(config, address, database), ...overrides }, logins)
}

function redisBehind(sentinels: Servers<'sentinel'>, { config, failures, logins }: Surroundings): OpenMaster {
  const Connector = connectorTo(failures, config)
  const options = { ...sentinelOptions(config, sentinels, failures), Connector }
  return (overrides) => openRedis({ ...options, ...overrides }, logins)
}

function clusterOf(servers: Servers<'cluster'>, { config, failures }: Surroundings): Cluster {
  const nodes = servers.nodes.map(({ host, port }) => ({ host, port }))
  const cluster = withoutAsyncContext(() => new Cluster(nodes, clusterOptions(config, servers, failures)))
  return improveCluster(cluster, servers.nodes[0]?.tls !== true)
}

function likeIoredis({ client, shared }: Servers<'ioredis'>, surroundings: Surroundings): Closed {
  const { config } = surroundings
  if (isCluster(client)) {
    const scanIntervalMs = client.options.slotsRefreshInterval ?? SCAN_INTERVAL_MS
    return shared
      ? new ClusterConnection(client, { mode: 'AUTO', shared }, surroundings)
      : new ClusterConnection(likeCluster(client, config), { mode: 'AUTO', scanIntervalMs }, surroundings)
  }
  const theirs = client as unknown as Redis
  if (shared && hasSelectedAnother(theirs))
    throw new ConfigError('ioredis', OWN_DATABASE, theirs.condition?.select)
  return new MasterConnection(likeRedis(theirs, surroundings), surroundings, shared ? theirs : undefined)
}

function likeRedis(client: Redis, { config, failures, logins }: Surroundings): OpenMaster {
  const { connectionName, sentinels, Connector } = client.options
  const asksSentinels = sentinels && Connector === undefined
  const settings = {
    ...baseOptions(config),
    ...OWN_REPLIES,
    ...named(connectionName ?? config.clientName),
    ...(asksSentinels && { Connector: connectorTo(failures, config) }),
  }
  const withoutDetector = asksSentinels ? {} : { failoverDetector: false }
  return (overrides) => openLike(client, { ...settings, ...overrides, ...withoutDetector }, logins)
}

function connectorTo(
  failures: Failures,
  { reconnectionDelay }: Config,
): ReturnType<typeof sentinelConnector> {
  return sentinelConnector(failures, reconnectionDelay, new MasterKnowledge())
}

function likeCluster(client: Cluster, config: Config): Cluster {
  const { retryStrategy: _, ...node } = baseOptions(config)
  const { dnsLookup = lookup, redisOptions } = client.options
  const resolvesItself = dnsLookup !== lookup
  const cluster = withoutAsyncContext(() =>
    client.duplicate([], {
      ...clusterBehaviour(config),
      dnsLookup: resolvesItself ? orAsNamed(dnsLookup) : asNamed,
      enableOfflineQueue: true,
      shardedSubscribers: false,
      redisOptions: {
        ...node,
        ...OWN_REPLIES,
        ...named(client.options.redisOptions?.connectionName ?? config.clientName),
      },
    }),
  )
  return improveCluster(cluster, !resolvesItself && !redisOptions?.tls)
}

/** Returns whether a client is a cluster. It checks a property and not the class, because the program may have another copy of ioredis. */
function isCluster(client: IoredisClient): client is Cluster {
  return 'isCluster' in client && client.isCluster === true
}
