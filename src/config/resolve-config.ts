import type { ConnectionOptions } from 'node:tls'
import type { CodecLike, MapCodec } from '../api/codec.js'
import type { CommonOptions, DelayOptions, RedissonOptions } from '../api/redisson-options.js'
import { clientCodecs, type DefaultCodecs } from '../codec/codecs.js'
import { ConfigError } from '../errors/client-errors.js'
import type { Config, Credentials, ServerConfig } from './config.js'
import { readCaches } from './cache-settings.js'
import { ignoredOfClient, sectionsOfPro } from './ignored-settings.js'
import { direct, readNameMapper, unmappedName } from './name-mapper.js'
import {
  addressesOf,
  areThere,
  isIoredisClient,
  over,
  readServers,
  sectionOf,
  type Sections,
  type Servers,
} from './read-servers.js'
import { isThere, readSettings, type Values } from './read-settings.js'
import {
  credentialsProvider,
  flag,
  isRecord,
  milliseconds,
  optional,
  reader,
  type Reader,
  secret,
  wholeNumber,
} from './readers.js'
import { delayOf, longestDelayMs } from './retry-delay.js'
import type { ServerSettings } from './server-settings.js'

const DEFAULT_RETRY_DELAY: DelayOptions = { type: 'EqualJitterDelay', baseDelay: 1000, maxDelay: 2000 }

/** A script of the watchdog with more locks than these would keep a server busy for too long. */
const LARGEST_BATCH = 5000

/** They are Node's, and Node checks them. */
const tlsSettings: Reader<ConnectionOptions> = reader(
  'an object with TLS settings',
  (value): value is ConnectionOptions => isRecord(value),
  { secret: true },
)

const commonSettings = {
  lockWatchdogTimeout: optional(milliseconds(3), 30_000), // it is renewed every third of it
  lockWatchdogBatchSize: optional(wholeNumber(1, LARGEST_BATCH), 100),
  fairLockWaitTimeout: optional(milliseconds(1), 300_000),
  reliableTopicWatchdogTimeout: optional(milliseconds(3), 600_000),
  caches: optional(readCaches, new Map()),
  holdWarningMs: optional(milliseconds(1), undefined),
  releaseWaitMs: optional(milliseconds(0), 1000),
  checkLockSyncedSlaves: optional(readSyncedReplicas, 0),
  slavesSyncTimeout: optional(milliseconds(1), 1000), // 0 would mean for ever to Redis
  username: optional(secret, undefined),
  password: optional(secret, undefined),
  credentials: optional(credentialsProvider, undefined),
  tcpKeepAlive: optional(flag, true),
  tcpNoDelay: optional(flag, true),
  nameMapper: optional(readNameMapper, direct),
  codec: optional(readCodec, clientCodecs(undefined)),
  tls: optional(tlsSettings, undefined),
  lazyInitialization: optional(flag, false),
  failFast: optional(flag, false),
  connectWaitMs: optional(milliseconds(1), undefined),
} satisfies Record<keyof CommonOptions, Reader<unknown>>

type CommonSettings = Values<typeof commonSettings>

const clientSettings = {
  ...commonSettings,
  singleServerConfig: asIs,
  masterSlaveServersConfig: asIs,
  sentinelServersConfig: asIs,
  replicatedServersConfig: asIs,
  clusterServersConfig: asIs,
  ioredis: asIs,
  share: optional(flag, false),
} satisfies Record<keyof CommonOptions | keyof Sections, Reader<unknown>>

/**
 * Turns what the user wrote into what the library uses: checked, complete and frozen.
 *
 * Settings of Redisson that mean nothing here are named in one warning of the process, with the code
 * `REDISSON_CONFIG_IGNORED`.
 *
 * @throws {@link ConfigError} if a setting is missing, unknown, of the wrong type or out of range; `TypeError` for a `codec` that is none
 */
export function resolveConfig(options: RedissonOptions): Config {
  demandOptions(options)
  refusePro(options)
  const ignored: string[] = []
  const note = (key: string) => void ignored.push(key)
  const client = readSettings(options, '', clientSettings, {
    names: ignoredOfClient,
    note,
    sectionOf: (name) => sectionOf(name, options),
  })
  const servers = readServers(client, note)
  if (servers.server.mode === 'ioredis') refuseSecondOpinion(client)
  if (client.tls !== undefined) demandTls(servers.server)
  refuseWaitOfLazy(client)
  refuseTwoLogins(client, servers)
  const config = toConfig(client, servers)
  warnAbout(ignored)
  return config
}

/** What is no settings at all may be meant nevertheless. */
function demandOptions(options: unknown): void {
  if (isIoredisClient(options)) {
    throw new ConfigError('options', 'settings', options, {
      message: 'Expected settings, got a client of ioredis: pass it as `{ ioredis: redis }`',
    })
  }
  if (isRecord(options)) return
  const expected = 'an object of settings, a URL such as redis://127.0.0.1:6379, or the path of a file'
  throw new ConfigError('options', expected, options, { secret: true })
}

/** Settings of TLS say that the connection is meant to be encrypted, which only the scheme of the address makes it. */
function demandTls(server: ServerConfig): void {
  const plain = addressesOf(server).find(({ tls }) => !tls)
  if (plain === undefined) return
  const { host, port, path = `${host}:${port}` } = plain
  const expected = `absent, or the address of ${path} to begin with rediss:// or valkeys://, as nothing is encrypted without`
  throw new ConfigError('tls', expected, {})
}

/** A section of the PRO edition is no mistyped name of another one. */
function refusePro(options: RedissonOptions): void {
  const section = Object.entries(options).find(([name, value]) => sectionsOfPro.has(name) && isThere(value))
  if (section === undefined) return
  const [name] = section
  const expected =
    'absent, as this section belongs to Redisson PRO, whose arrangements of servers do not exist here'
  throw new ConfigError(name, expected, section[1], { secret: true })
}

function toConfig(client: CommonSettings, servers: Servers): Config {
  const { server, readMode, settings } = servers
  const retryDelay = retryDelayOf(settings)
  return Object.freeze({
    server,
    readMode,
    credentials: credentialsOf(client, servers),
    credentialsProvider: client.credentials,
    clientName: settings.clientName,
    timeoutMs: settings.timeout,
    connectTimeoutMs: settings.connectTimeout,
    lazy: client.lazyInitialization,
    connectWaitMs: client.connectWaitMs,
    failFast: client.failFast,
    retryAttempts: settings.retryAttempts,
    retryDelay: delayOf(retryDelay),
    longestRetryDelayMs: longestDelayMs(retryDelay),
    reconnectionDelay: delayOf(settings.reconnectionDelay),
    subscriptionTimeoutMs: settings.subscriptionTimeout,
    pingIntervalMs: settings.pingConnectionInterval,
    keepAlive: settings.keepAlive ?? client.tcpKeepAlive,
    tcpNoDelay: settings.tcpNoDelay ?? client.tcpNoDelay,
    tls: Object.freeze({ ...client.tls }),
    lockWatchdogTimeoutMs: client.lockWatchdogTimeout,
    lockWatchdogBatchSize: client.lockWatchdogBatchSize,
    fairLockWaitTimeoutMs: client.fairLockWaitTimeout,
    reliableTopicWatchdogTimeoutMs: client.reliableTopicWatchdogTimeout,
    caches: client.caches,
    holdWarningMs: client.holdWarningMs,
    releaseWaitMs: client.releaseWaitMs,
    syncedReplicas: client.checkLockSyncedSlaves,
    slavesSyncTimeoutMs: client.slavesSyncTimeout,
    mapName: (name: string) => client.nameMapper.map(name),
    unmapName: (key: string) => unmappedName(client.nameMapper, key),
    codecs: client.codec,
  })
}

/** Redisson has given up `retryInterval`, which is the same delay every time; files still say it. */
function retryDelayOf({ retryDelay, retryInterval }: ServerSettings): DelayOptions {
  if (retryDelay !== undefined) return retryDelay
  return retryInterval === undefined ? DEFAULT_RETRY_DELAY : { type: 'ConstantDelay', delay: retryInterval }
}

/** What is no codec is refused as it is at an object: it is the same mistake. */
function readCodec(value: unknown): DefaultCodecs {
  return clientCodecs(value as CodecLike<unknown> | MapCodec<unknown, unknown>)
}

function readSyncedReplicas(value: unknown, key: string): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return wholeNumber(0)(value, key)
  throw new ConfigError(key, 'true, false or a number of replicas', value)
}

/** A client of ioredis has its own credentials and TLS settings. */
function refuseSecondOpinion(client: CommonSettings): void {
  for (const name of ['username', 'password', 'tls'] as const) {
    if (client[name] === undefined) continue
    throw new ConfigError(name, 'absent, as the client of ioredis brings its own', client[name], {
      secret: true,
    })
  }
}

function credentialsOf(client: CommonSettings, { ownCredentials, settings }: Servers): Credentials {
  return over(ownCredentials, over(settings, client))
}

/** What the program is asked for is all that a server is told. */
function refuseTwoLogins(client: CommonSettings, servers: Servers): void {
  if (client.credentials === undefined) return
  const { server } = servers
  if (areThere(credentialsOf(client, servers)))
    throw new ConfigError(
      'credentials',
      'absent, as the settings have a user name or a password',
      client.credentials,
    )
  if (server.mode === 'ioredis' && server.shared)
    throw new ConfigError(
      'credentials',
      'absent, as a shared client of ioredis logs in by itself',
      client.credentials,
    )
}

/** A lazy client is there at once, so a time to wait for it can only be a mistake. */
function refuseWaitOfLazy({ lazyInitialization, connectWaitMs }: CommonSettings): void {
  if (!lazyInitialization || connectWaitMs === undefined) return
  throw new ConfigError('connectWaitMs', 'absent, as `lazyInitialization` does not wait', connectWaitMs)
}

/** A server section is read when it is clear that it is the only one. */
function asIs(value: unknown): unknown {
  return value
}

/** Settings that mean the same as some that are ignored. */
const HINTS: readonly (readonly [ignored: RegExp, hint: string])[] = [
  [/\bssl/, '. For TLS there is `tls`'],
  [/\bcredentialsResolver$/, '. For credentials that change there is `credentials`, a function'],
]

function warnAbout(ignored: readonly string[]): void {
  if (ignored.length === 0) return
  const hints = HINTS.filter(([pattern]) => ignored.some((key) => pattern.test(key))).map(([, hint]) => hint)
  process.emitWarning(
    `These settings of Redisson mean nothing here: ${ignored.join(', ')}${hints.join('')}`,
    {
      code: 'REDISSON_CONFIG_IGNORED',
    },
  )
}
