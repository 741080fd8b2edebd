import type { ClusterOptions, RedisOptions } from 'ioredis'
import type { Address, AddressMapper, Config } from '../config/config.js'

/** A FIN to a peer that does not answer is not waited for longer than this, in milliseconds. */
const DISCONNECT_TIMEOUT_MS = 200

/** How long the system waits before it probes a silent connection, in milliseconds. */
const KEEP_ALIVE_MS = 5000

/**
 * How much earlier than their connection commands are given up, in milliseconds: so they say that there was no answer, and not
 * that the connection was lost. It is less than the usual pause before they are sent again, so that they go over a new one.
 */
const GIVEN_UP_FIRST_MS = 5

/** A moved slot is followed this often before an operation gives up; a stale view of the cluster ends long before. */
const MAX_REDIRECTIONS = 8

/** The pause before a redirection is followed, in milliseconds, so that a confused cluster is not stormed. */
const REDIRECTION_DELAY_MS = 10

/** ioredis's settings without the one that its own constructor does not take when it may be undefined. */
export type NodeOptions = Omit<RedisOptions, 'replyMapping'>

/**
 * How a connection behaves, wherever it leads.
 *
 * ioredis sends unanswered commands again after it has reconnected, which would count a hold twice. No retries per
 * request, and no second try on failover in a cluster, are the settings under which it does not; what may be repeated is
 * repeated by the command executor.
 */
export function behaviour(config: Config): NodeOptions {
  return {
    autoResubscribe: false,
    connectTimeout: config.connectTimeoutMs,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    keepAlive: config.keepAlive ? KEEP_ALIVE_MS : 0,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    noDelay: config.tcpNoDelay,
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    retryStrategy: (times) => config.reconnectionDelay(times - 1),
    socketTimeout: silenceMs(config.timeoutMs),
  }
}

/** Settings for a node that is reached by its own address. */
export function nodeOptions(config: Config, address: Address, database: number): NodeOptions {
  return {
    ...behaviour(config),
    ...identity(config, address),
    ...(address.path === undefined ? { host: address.host, port: address.port } : { path: address.path }),
    db: database,
  }
}

type Sentinels = Extract<Config['server'], { mode: 'sentinel' }>

/** Settings for a master that sentinels are asked for, and whose failovers they announce. */
export function sentinelOptions(config: Config, server: Sentinels): NodeOptions {
  const [first] = server.sentinels
  return {
    ...behaviour(config),
    ...identity(config, undefined),
    ...(first?.tls === true && { tls: config.tls, enableTLSForSentinelMode: true, sentinelTLS: config.tls }),
    sentinels: server.sentinels.map(({ host, port }) => ({ host, port })),
    name: server.masterName,
    ...optional('sentinelUsername', server.sentinelCredentials.username),
    ...optional('sentinelPassword', server.sentinelCredentials.password),
    sentinelCommandTimeout: config.timeoutMs,
    sentinelRetryStrategy: (times) => config.reconnectionDelay(times - 1),
    sentinelReconnectStrategy: (times) => config.reconnectionDelay(times - 1),
    failoverDetector: true,
    ...(server.mapAddress !== undefined && { natMap: natMap(server.mapAddress) }),
    db: server.database,
  }
}

/** ioredis's settings for a cluster, those for its nodes always among them. */
export type ClusterSettings = Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions: NodeOptions }

type Cluster = Extract<Config['server'], { mode: 'cluster' }>

/** How a cluster behaves, whichever it is. */
export function clusterBehaviour(
  config: Config,
  scanIntervalMs: number,
): Omit<ClusterOptions, 'redisOptions'> {
  return {
    clusterRetryStrategy: (times) => config.reconnectionDelay(times - 1),
    lazyConnect: true,
    maxRedirections: MAX_REDIRECTIONS,
    retryDelayOnFailover: 0,
    retryDelayOnMoved: REDIRECTION_DELAY_MS,
    scaleReads: 'master',
    slotsRefreshInterval: scanIntervalMs,
    slotsRefreshTimeout: config.timeoutMs,
  }
}

/** Settings for a cluster that is reached by the addresses of some of its nodes. */
export function clusterOptions(config: Config, server: Cluster): ClusterSettings {
  const [first] = server.nodes
  const { retryStrategy: _, ...node } = behaviour(config) // the pool drops a dead node, and asks the cluster who follows it
  return {
    ...clusterBehaviour(config, server.scanIntervalMs),
    ...(first?.tls === true && {
      dnsLookup: (host, callback) => {
        callback(null, host)
      },
    }), // certificates name hosts
    ...(server.mapAddress !== undefined && { natMap: natMap(server.mapAddress) }),
    redisOptions: { ...node, ...identity(config, first) },
  }
}

/** Who we are for a server, and whether what we say is encrypted. */
export function identity(config: Config, address: Address | undefined): NodeOptions {
  const own = address?.credentials
  return {
    ...optional('username', own?.username ?? config.credentials.username),
    ...optional('password', own?.password ?? config.credentials.password),
    ...optional('connectionName', config.clientName),
    ...(address?.tls === true && { tls: config.tls }),
  }
}

/** A setting that is left out when it is undefined, because ioredis tells the two apart. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}

function natMap(map: AddressMapper): (address: string) => { host: string; port: number } {
  return (address) => {
    const colon = address.lastIndexOf(':')
    return map({ host: address.slice(0, colon), port: Number(address.slice(colon + 1)) })
  }
}

/** How long a connection may be silent before it is dropped, where commands on it may take so long, in milliseconds. */
export function silenceMs(patienceMs: number): number {
  return patienceMs + GIVEN_UP_FIRST_MS
}
