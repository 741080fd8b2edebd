import type { ClusterOptions, RedisOptions } from 'ioredis'
import type { HostAndPort } from '../../api/redisson-options.js'
import type { Address, AddressMapper, Config } from '../../config/config.js'
import type { Failures } from './failures.js'
import { DISCONNECT_TIMEOUT_MS } from '../node/socket-timeout.js'
import { textOf } from '../../util/thrown/thrown.js'

/** How long the system waits before it probes a silent connection, in milliseconds. */
const KEEP_ALIVE_MS = 5000

/** How often a moved slot is followed before a command gives up. An outdated topology is corrected long before. */
const MAX_REDIRECTIONS = 8

/** The pause before a redirection is followed, in milliseconds, so that a confused cluster is not flooded. */
const REDIRECTION_DELAY_MS = 10

/** ioredis's settings without the one that its own constructor does not take when it may be undefined. */
export type NodeOptions = Omit<RedisOptions, 'replyMapping'>

/**
 * Returns the settings for any connection.
 *
 * ioredis sends commands without a reply again after it has reconnected, which would count a hold twice. It does not with these settings:
 * no retries per request, and no second try on failover in a cluster. The command executor repeats what may be repeated.
 */
export function baseOptions(config: Config): NodeOptions {
  return {
    autoResubscribe: false,
    connectTimeout: config.connectTimeoutMs,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    keepAlive: config.keepAlive ? KEEP_ALIVE_MS : 0,
    lazyConnect: true,
    maxLoadingRetryTime: config.timeoutMs / 2, // a server that loads is not silent
    maxRetriesPerRequest: 0,
    noDelay: config.tcpNoDelay,
    reconnectOnError: null, // `PendingCommands` does so
    retryStrategy: (times) => config.reconnectionDelay(times - 1),
    stringNumbers: true,
    socketTimeout: undefined, // it sets a timer and a listener for each command, and does not read first; we notice silence
  }
}

/** The settings for the connection for commands. It listens to each sentinel for another master, and the other connections follow it. */
export const COMMANDS: NodeOptions = { failoverDetector: true }

/** The settings for a connection that is notified of changed keys. With RESP3, ioredis drops these notifications. */
export const TRACKING: NodeOptions = { protocol: 2 }

/** The settings that duplicates of a program's connection do not take over, so that requests wait, and replies are as they are sent. */
export const OWN_REPLIES = {
  commandTimeout: undefined,
  enableOfflineQueue: true,
  enableReadyCheck: true,
  monitor: false,
  readOnly: false,
  replyMapping: 'legacy',
  stringNumbers: true,
} as const

/** Returns the settings for a node that is reached by its own address. */
export function nodeOptions(config: Config, address: Address, database: number): NodeOptions {
  return {
    ...baseOptions(config),
    ...identity(config, address),
    ...(address.path === undefined ? { host: address.host, port: address.port } : { path: address.path }),
    db: database,
  }
}

type Sentinels = Extract<Config['server'], { mode: 'sentinel' }>

/** Returns the settings for a master that sentinels are asked for. */
export function sentinelOptions(config: Config, server: Sentinels, failures: Failures): NodeOptions {
  const [first] = server.sentinels
  return {
    ...baseOptions(config),
    ...identity(config, undefined),
    ...(first?.tls === true && { tls: config.tls, enableTLSForSentinelMode: true, sentinelTLS: config.tls }),
    sentinels: server.sentinels.map(({ host, port }) => ({ host, port })),
    name: server.masterName,
    ...optional('sentinelUsername', server.sentinelCredentials.username),
    ...optional('sentinelPassword', server.sentinelCredentials.password),
    sentinelCommandTimeout: config.timeoutMs,
    sentinelRetryStrategy: (times) => config.reconnectionDelay(times - 1),
    sentinelReconnectStrategy: (times) => config.reconnectionDelay(times - 1),
    ...(server.mapAddress !== undefined && { natMap: natMap(server.mapAddress, failures) }),
    db: server.database,
  }
}

/** ioredis's settings for a cluster, always with those for its nodes. */
export type ClusterSettings = Omit<ClusterOptions, 'redisOptions'> & { readonly redisOptions: NodeOptions }

type Cluster = Extract<Config['server'], { mode: 'cluster' }>

/** Returns the settings for any cluster. */
export function clusterBehaviour(config: Config): Omit<ClusterOptions, 'redisOptions'> {
  return {
    clusterRetryStrategy: (times) => config.reconnectionDelay(times - 1),
    enableReadyCheck: true,
    lazyConnect: true,
    maxRedirections: MAX_REDIRECTIONS,
    retryDelayOnFailover: 0,
    retryDelayOnMoved: REDIRECTION_DELAY_MS,
    scaleReads: 'master',
    slotsRefreshInterval: 0, // `ClusterNodes` asks: a timer of ioredis may outlive the connection
    slotsRefreshTimeout: config.timeoutMs,
  }
}

/** Returns the settings for a cluster that is reached by the addresses of some of its nodes. */
export function clusterOptions(config: Config, server: Cluster, failures: Failures): ClusterSettings {
  const [first] = server.nodes
  const { retryStrategy: _, ...node } = baseOptions(config) // the pool drops a dead node, and asks the cluster for its successor
  return {
    ...clusterBehaviour(config),
    dnsLookup: asNamed,
    ...(server.mapAddress !== undefined && { natMap: natMap(server.mapAddress, failures) }),
    redisOptions: { ...node, ...identity(config, first) },
  }
}

type Resolve = NonNullable<ClusterOptions['dnsLookup']>

/** Leaves hosts as they are: {@link improveCluster} resolves them, or nothing does, since certificates name them. */
export const asNamed: Resolve = (host, callback) => {
  callback(null, host)
}

/** Wraps a resolver: a host that cannot be resolved stays as it is. The attempt to connect says why, and the other nodes do without it. */
export function orAsNamed(resolve: Resolve): Resolve {
  return (host, callback) => {
    resolve(host, (error, address, family) => {
      callback(null, error ? host : address, family)
    })
  }
}

/** Returns the credentials for a server, the name of the connection, and whether it is encrypted. */
export function identity(config: Config, address: Address | undefined): NodeOptions {
  const own = address?.credentials
  return {
    ...optional('username', own?.username ?? config.credentials.username),
    ...optional('password', own?.password ?? config.credentials.password),
    ...named(config.clientName),
    ...(address?.tls === true && { tls: config.tls }),
  }
}

/** Returns the setting for the name of a connection. A client of the program may have a name that Redis refuses. */
export function named(name: string | undefined): NodeOptions {
  return optional('connectionName', name?.replace(/[^!-~]/g, '-'))
}

/** Returns a setting that is left out if it is undefined, because ioredis distinguishes the two. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}

/** Returns what a mapper has returned, after a check. ioredis would connect to this machine if the host or the port is missing. */
function placeOf(mapped: unknown): HostAndPort {
  const { host, port } = (mapped ?? {}) as Partial<HostAndPort>
  if (typeof host === 'string' && host !== '' && Number.isInteger(port)) return mapped as HostAndPort
  throw new TypeError('it returned no host and port')
}

/** Wraps the program's mapper. If it fails, the address stays as it is; ioredis would let the process end. */
function natMap(map: AddressMapper, failures: Failures): (address: string) => HostAndPort {
  return (address) => {
    const colon = address.lastIndexOf(':')
    const known = { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }
    try {
      return placeOf(map(known))
    } catch (error) {
      failures.note({ address, tls: false }, new Error(`\`natMapper\` has failed: ${textOf(() => error)}`))
      return known
    }
  }
}
