import type { ConnectionOptions } from 'node:tls'

/**
 * How to reach Redis, and how the client behaves.
 *
 * The names are those of Redisson's configuration file, so that one file can serve Java and Node. Every time is in
 * milliseconds. Exactly one of the server sections has to be there.
 */
export type RedissonOptions = CommonOptions &
  (
    | {
        /** One server. */
        readonly singleServerConfig: SingleServerOptions
      }
    | {
        /** One master that never changes, and its replicas. */
        readonly masterSlaveServersConfig: MasterSlaveServersOptions
      }
    | {
        /** A master that sentinels watch over. */
        readonly sentinelServersConfig: SentinelServersOptions
      }
    | {
        /** Several servers of which one is the master. */
        readonly replicatedServersConfig: ReplicatedServersOptions
      }
    | {
        /** A Redis Cluster. */
        readonly clusterServersConfig: ClusterServersOptions
      }
    | {
        /** A client of ioredis, whose settings are taken over. */
        readonly ioredis: IoredisClient
      }
  )

/** Settings of the client as a whole. */
export interface CommonOptions {
  /**
   * How long Redis keeps a lock that was taken without a lease once its holder stops renewing it, in milliseconds.
   * The watchdog renews every third of it.
   *
   * @defaultValue 30000
   */
  readonly lockWatchdogTimeout?: number
  /**
   * How many locks the watchdog renews with one script.
   *
   * @defaultValue 100
   */
  readonly lockWatchdogBatchSize?: number
  /**
   * How long a fair lock keeps the place of a waiter that may have died, in milliseconds. A waiter with a time limit of
   * its own is given no longer than that. All clients of a lock should agree, those in Java as well.
   *
   * @defaultValue 300000
   */
  readonly fairLockWaitTimeout?: number
  /**
   * Whether every lock waits, after it was taken, until at least one replica has confirmed it. A number asks for that
   * many replicas; a lock can ask for itself with `getLock(name, { syncedReplicas })`.
   *
   * @defaultValue false
   */
  readonly checkLockSyncedSlaves?: boolean | number
  /**
   * How long replicas may take to confirm a lock, in milliseconds.
   *
   * @defaultValue 1000
   */
  readonly slavesSyncTimeout?: number
  /** User name for the servers, unless their section or address says another. */
  readonly username?: string | null
  /** Password for the servers, unless their section or address says another. */
  readonly password?: string | null
  /**
   * Whether the system probes silent connections, unless the server section says it by `keepAlive`.
   *
   * @defaultValue true
   */
  readonly tcpKeepAlive?: boolean
  /**
   * Whether small packets are sent at once, unless the server section says it.
   *
   * @defaultValue true
   */
  readonly tcpNoDelay?: boolean
  /** Turns the names that the program uses into the names in Redis. */
  readonly nameMapper?: (name: string) => string
  /** TLS settings, such as `ca` or `cert`, for addresses that begin with `rediss://`. */
  readonly tls?: ConnectionOptions
}

/** Settings that every server section knows. */
export interface ServerOptions {
  /**
   * How long an answer of Redis may take, in milliseconds.
   *
   * @defaultValue 3000
   */
  readonly timeout?: number
  /**
   * How long connecting may take, in milliseconds.
   *
   * @defaultValue 10000
   */
  readonly connectTimeout?: number
  /**
   * How often a command is sent again, if it may be, after the connection broke or no answer came.
   *
   * @defaultValue 4
   */
  readonly retryAttempts?: number
  /**
   * How long to wait before a command is sent again: so many milliseconds, or a strategy.
   *
   * @defaultValue `{ type: 'EqualJitterDelay', baseDelay: 1000, maxDelay: 2000 }`
   */
  readonly retryDelay?: number | DelayOptions
  /**
   * How long to wait before connecting again: so many milliseconds, or a strategy.
   *
   * @defaultValue `{ type: 'EqualJitterDelay', baseDelay: 100, maxDelay: 10000 }`
   */
  readonly reconnectionDelay?: number | DelayOptions
  /**
   * How long a waiter's subscription may take, in milliseconds.
   *
   * @defaultValue 7500
   */
  readonly subscriptionTimeout?: number
  /**
   * How often an idle connection is asked for a sign of life, in milliseconds; 0 for never.
   *
   * @defaultValue 30000
   */
  readonly pingConnectionInterval?: number
  /** User name, above the one of the client as a whole. */
  readonly username?: string | null
  /** Password, above the one of the client as a whole. */
  readonly password?: string | null
  /** What the connections are called in `CLIENT LIST`. */
  readonly clientName?: string | null
  /**
   * Whether the system probes silent connections.
   *
   * @defaultValue true
   */
  readonly keepAlive?: boolean
  /**
   * Whether small packets are sent at once.
   *
   * @defaultValue true
   */
  readonly tcpNoDelay?: boolean
}

/** One server. */
export interface SingleServerOptions extends ServerOptions {
  /** Where it is, such as `redis://127.0.0.1:6379` or `rediss://user:password@example.org:6380`. */
  readonly address: string
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number
}

/** One master that never changes, and its replicas. */
export interface MasterSlaveServersOptions extends ServerOptions {
  /** Where the master is. */
  readonly masterAddress: string
  /** Where the replicas are. Locks never ask them. */
  readonly slaveAddresses?: readonly string[]
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number
}

/** A master that sentinels watch over. */
export interface SentinelServersOptions extends ServerOptions {
  /** What the sentinels call the master. */
  readonly masterName: string
  /** Where the sentinels are. One that answers is enough to find the others. */
  readonly sentinelAddresses: readonly string[]
  /** User name for the sentinels. */
  readonly sentinelUsername?: string | null
  /** Password for the sentinels. */
  readonly sentinelPassword?: string | null
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number
  /** Turns the addresses that sentinels tell into those that this process can reach. */
  readonly natMapper?: NatMapper
}

/** Several servers of which one is the master, as managed offerings without a cluster have them. */
export interface ReplicatedServersOptions extends ServerOptions {
  /** Where the servers are. */
  readonly nodeAddresses: readonly string[]
  /**
   * How often the servers are asked who the master is, in milliseconds.
   *
   * @defaultValue 1000
   */
  readonly scanInterval?: number
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number
}

/** A Redis Cluster. */
export interface ClusterServersOptions extends ServerOptions {
  /** Where some of its nodes are. One that answers is enough to find the others. */
  readonly nodeAddresses: readonly string[]
  /**
   * How often the cluster is asked for its shape, in milliseconds.
   *
   * @defaultValue 5000
   */
  readonly scanInterval?: number
  /**
   * Whether messages travel by sharded pub/sub. All clients of a cluster have to agree, those in Java as well.
   *
   * @defaultValue 'AUTO': where the server knows it, which is from version 7 on
   */
  readonly shardedSubscriptionMode?: 'AUTO' | 'ON' | 'OFF'
  /** Turns the addresses that the cluster tells into those that this process can reach. */
  readonly natMapper?: NatMapper
}

/** A place on the network. */
export interface HostAndPort {
  /** Name or address of the host. */
  readonly host: string
  /** Port on that host. */
  readonly port: number
}

/** Turns an address that a server told into one that can be reached: a function, or a table by `host:port`. */
export type NatMapper = ((address: HostAndPort) => HostAndPort) | Readonly<Record<string, HostAndPort>>

/** How long to wait before the next attempt. */
export type DelayOptions =
  | {
      /** The same every time. */
      readonly type: 'ConstantDelay'
      /** Milliseconds. */
      readonly delay: number
    }
  | {
      /**
       * Doubles from attempt to attempt, then takes all of it (`FullJitterDelay`) or half of it (`EqualJitterDelay`) at
       * random, or a random share of three times the delay before (`DecorrelatedJitterDelay`).
       */
      readonly type: 'EqualJitterDelay' | 'FullJitterDelay' | 'DecorrelatedJitterDelay'
      /** The first delay, in milliseconds. */
      readonly baseDelay: number
      /** The longest delay, in milliseconds. */
      readonly maxDelay: number
    }

/**
 * A client of ioredis that the program has already: `Redis` or `Cluster`.
 *
 * It serves as a pattern: connections of our own are made with its settings, and it is never used, changed or closed.
 */
export interface IoredisClient {
  /** The settings that are taken over. */
  readonly options: object
  /** Makes another connection with the same settings. */
  duplicate(...overrides: never[]): unknown
}
