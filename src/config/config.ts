import type { ConnectionOptions } from 'node:tls'
import type { CacheSettings } from '../api/cache-settings.js'
import type { CredentialsProvider } from '../api/credentials.js'
import type { HostAndPort, IoredisClient } from '../api/redisson-options.js'
import type { DefaultCodecs } from '../codec/codecs.js'

/** How long to wait before attempt number `attempt`, counted from 0, in milliseconds. */
export type Delay = (attempt: number) => number

/** Where values are read: at the master, at its replicas, or at either. */
export type ReadMode = 'MASTER' | 'SLAVE' | 'MASTER_SLAVE'

/** Every setting, resolved once: nothing is optional except what may really be absent. */
export interface Config {
  readonly server: ServerConfig
  /** `MASTER` except for sentinels and clusters. */
  readonly readMode: ReadMode
  readonly credentials: Credentials
  /** Returns others for each connection; undefined where they stay the same. */
  readonly credentialsProvider: CredentialsProvider | undefined
  readonly clientName: string | undefined
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  /** Whether a client is there before its connections are. */
  readonly lazy: boolean
  /** How long the first connection may take, with any number of attempts; undefined for a fixed number of attempts. */
  readonly connectWaitMs: number | undefined
  /** Whether calls reject at once while Redis cannot be reached. */
  readonly failFast: boolean
  readonly retryAttempts: number
  readonly retryDelay: Delay
  /** The longest delay that `retryDelay` ever returns. */
  readonly longestRetryDelayMs: number
  readonly reconnectionDelay: Delay
  readonly subscriptionTimeoutMs: number
  /** 0 for never. */
  readonly pingIntervalMs: number
  readonly keepAlive: boolean
  readonly tcpNoDelay: boolean
  readonly tls: ConnectionOptions
  readonly lockWatchdogTimeoutMs: number
  readonly lockWatchdogBatchSize: number
  readonly fairLockWaitTimeoutMs: number
  readonly reliableTopicWatchdogTimeoutMs: number
  /** How caches keep and load their entries, by name. */
  readonly caches: ReadonlyMap<string, CacheSettings>
  /** Undefined for never. */
  readonly holdWarningMs: number | undefined
  /** How long the release is waited for when a function that held something has come to its end. */
  readonly releaseWaitMs: number
  /** How many replicas have to confirm a lock, unless it asks for itself; 0 for none. */
  readonly syncedReplicas: number
  readonly slavesSyncTimeoutMs: number
  /** Makes the key in Redis of the name that the program uses. */
  readonly mapName: (name: string) => string
  /** Makes the name that the program uses of a key or channel in Redis. */
  readonly unmapName: (key: string) => string
  /** The codecs of objects that are given none. */
  readonly codecs: DefaultCodecs
}

/** Where the servers are, by the way they are arranged. */
export type ServerConfig =
  | { readonly mode: 'single'; readonly address: Address; readonly database: number }
  | {
      readonly mode: 'masterSlave'
      readonly master: Address
      readonly slaves: readonly Address[]
      readonly database: number
    }
  | {
      readonly mode: 'sentinel'
      readonly sentinels: readonly Address[]
      readonly masterName: string
      readonly sentinelCredentials: Credentials
      /** Returns others for each connection to a sentinel; undefined where they stay the same. */
      readonly sentinelCredentialsProvider: CredentialsProvider | undefined
      readonly database: number
      readonly mapAddress: AddressMapper | undefined
    }
  | {
      readonly mode: 'replicated'
      readonly nodes: readonly Address[]
      readonly scanIntervalMs: number
      readonly database: number
    }
  | {
      readonly mode: 'cluster'
      readonly nodes: readonly Address[]
      readonly scanIntervalMs: number
      readonly shardedSubscriptionMode: 'AUTO' | 'ON' | 'OFF'
      readonly mapAddress: AddressMapper | undefined
    }
  | {
      readonly mode: 'ioredis'
      readonly client: IoredisClient
      /** Whether commands go over the client itself, and not over one that is like it. */
      readonly shared: boolean
      /** That of its settings; 0 for a cluster, which has no other. */
      readonly database: number
    }

/** The credentials for a server. */
export interface Credentials {
  readonly username: string | undefined
  readonly password: string | undefined
}

/** Where one server is. */
export interface Address extends HostAndPort {
  readonly tls: boolean
  /** Path of a Unix socket, instead of host and port. */
  readonly path: string | undefined
  /** What stands before the `@`, if anything does. */
  readonly credentials: Credentials
}

/** Maps an address that a server reported to one that can be reached. */
export type AddressMapper = (address: HostAndPort) => HostAndPort
