import type { ConnectionOptions } from 'node:tls'
import type { HostAndPort, IoredisClient } from '../api/redisson-options.js'

/** How long to wait before attempt number `attempt`, counted from 0, in milliseconds. */
export type Delay = (attempt: number) => number

/** Every setting, resolved once: nothing is optional except what may really be absent. */
export interface Config {
  readonly server: ServerConfig
  readonly credentials: Credentials
  readonly clientName: string | undefined
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly retryAttempts: number
  readonly retryDelay: Delay
  /** The longest that `retryDelay` ever answers. */
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
  /** How many replicas have to confirm a lock, unless it asks for itself; 0 for none. */
  readonly syncedReplicas: number
  readonly slavesSyncTimeoutMs: number
  readonly mapName: (name: string) => string
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
  | { readonly mode: 'ioredis'; readonly client: IoredisClient }

/** Who to be for a server. */
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

/** Turns an address that a server told into one that can be reached. */
export type AddressMapper = (address: HostAndPort) => HostAndPort
