import type { ConnectionOptions } from 'node:tls'
import type { CacheSettings } from './cache-settings.js'
import type { CodecLike, MapCodec } from './codec.js'
import type { CredentialsProvider } from './credentials.js'

/**
 * How to reach Redis, and how the client behaves.
 *
 * The names are those of Redisson's configuration file, so that one file can serve Java and Node. Every time is in
 * milliseconds. Exactly one of the server sections is given.
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
        /**
         * Whether commands go over that very client, and not over a connection like it. Subscriptions still have a connection
         * of their own. Its settings must not have ioredis send a command twice, nor change replies; otherwise `create` rejects
         * with a `ConfigError` that names the setting. The client is never closed, and has no listener of the library after
         * `shutdown()`. Until then its `sendCommand` is wrapped, to see when the program selects another database or opens a
         * transaction: calls reject with a `ServerNotReadyError` meanwhile.
         *
         * @defaultValue false
         */
        readonly share?: boolean | undefined
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
  readonly lockWatchdogTimeout?: number | undefined
  /**
   * How many locks the watchdog renews with one script, from 1 to 5000.
   *
   * @defaultValue 100
   */
  readonly lockWatchdogBatchSize?: number | undefined
  /**
   * How long a fair lock keeps the place of a waiter that may have died, in milliseconds. A waiter with a time limit of
   * its own is given no longer than that. All clients of a lock should agree, those in Java as well.
   *
   * @defaultValue 300000
   */
  readonly fairLockWaitTimeout?: number | undefined
  /**
   * How long a subscriber of a reliable topic counts as alive once its process stops renewing it, in milliseconds. It is renewed every third of it. Only
   * subscribers without a name end in this way.
   *
   * @defaultValue 600000
   */
  readonly reliableTopicWatchdogTimeout?: number | undefined
  /**
   * How caches of these names keep and load their entries, so that it can be changed without the program: see {@link CacheObjects.getCache}. What the
   * program sets comes first.
   *
   * @defaultValue none
   */
  readonly caches?: Readonly<Record<string, CacheSettings>> | undefined
  /**
   * Reports forgotten locks and permits, by process warnings with the code `REDISSON_HOLD_FORGOTTEN`. These
   * are held for longer than this number of milliseconds, or their hold was garbage-collected while the
   * watchdog renews it. The warning names the lock and its owner, and its `detail` is the stack of the call
   * that acquired it.
   *
   * It costs the stack of every acquisition, some 10 µs. Use it in development and tests, and with a long
   * time in production.
   *
   * @defaultValue none: nothing is reported
   */
  readonly holdWarningMs?: number | undefined
  /**
   * How long `withLock()`, `withPermit()`, the runs of `getOnce()`, leaderships and `await using` wait for the release, once their function
   * or block has come to its end, in milliseconds. Then the caller gets the result, the release continues in the background until the
   * lease ends, and the client emits `releaseDelayed`. A call can set its own where it has this option.
   *
   * @defaultValue 1000
   */
  readonly releaseWaitMs?: number | undefined
  /**
   * Whether every lock waits, after it was taken, until at least one replica has confirmed it. A number sets how
   * many replicas; a lock can set its own with `getLock(name, { syncedReplicas })`.
   *
   * @defaultValue false
   */
  readonly checkLockSyncedSlaves?: boolean | number | undefined
  /**
   * How long replicas may take to confirm a lock, in milliseconds.
   *
   * @defaultValue 1000
   */
  readonly slavesSyncTimeout?: number | undefined
  /** User name for the servers, unless their section or address says another. */
  readonly username?: string | null | undefined
  /** Password for the servers, unless their section or address says another. */
  readonly password?: string | null | undefined
  /**
   * Returns the user name and the password for the servers, where they change: tokens of a cloud, or secrets that are rotated. It is called before
   * a connection is opened, of whatever kind, and before its credentials expire. Not together with a `username` or `password`, nor with
   * `share`; connections that are like those of a client of ioredis use it instead of that client's own. A file cannot have it. Sentinels have
   * their own: {@link SentinelServersOptions.sentinelCredentials}.
   *
   * @defaultValue none: the user name and the password stay the same
   */
  readonly credentials?: CredentialsProvider | null | undefined
  /**
   * Whether the system probes silent connections, unless the server section says it by `keepAlive`.
   *
   * @defaultValue true
   */
  readonly tcpKeepAlive?: boolean | undefined
  /**
   * Whether small packets are sent at once, unless the server section says it.
   *
   * @defaultValue true
   */
  readonly tcpNoDelay?: boolean | undefined
  /**
   * Turns the names that the program uses into the names in Redis: non-empty strings without lone surrogates. A function alone does so
   * one way: names that come from Redis, such as those of the channels of a pattern, are then what they are in Redis.
   *
   * @defaultValue none: names are the same in Redis
   */
  readonly nameMapper?: NameMapper | ((name: string) => string) | undefined
  /**
   * The codec of all objects without a codec of their own, and of the keys of maps, as in Java. Or one codec
   * for the keys of maps and another for all values. A file names it by its class in Redisson for Java.
   *
   * @defaultValue `stringCodec()` for the keys of maps, `jsonCodec()` for all values
   */
  readonly codec?: CodecLike<unknown> | MapCodec<unknown, unknown> | undefined
  /** TLS settings, such as `ca` or `cert`, for addresses that begin with `rediss://`. */
  readonly tls?: ConnectionOptions | undefined
  /**
   * Whether `Redisson.create` returns before the client is connected. It checks the settings, and the client
   * tries to connect as long as it lives, so the program and Redis may start in any order. Calls wait for the
   * connection as they do when it is lost. They reject with a `ConnectionLostError` after `retryAttempts`, or
   * as soon as their wait time is over, which is at once for `tryLock()`. They reject with an
   * `AuthenticationError` if the server refuses the login. The event `connected` reports the connection.
   *
   * @defaultValue false
   */
  readonly lazyInitialization?: boolean | undefined
  /**
   * How long `Redisson.create` keeps trying to connect, in milliseconds, with pauses of one second at most. It gives up at
   * once what cannot succeed later, such as a refused login. Not together with `lazyInitialization`.
   *
   * @defaultValue as long as `retryAttempts` attempts after the first take, with the pauses of `reconnectionDelay`
   */
  readonly connectWaitMs?: number | undefined
  /**
   * Whether calls reject at once while Redis cannot be reached: when the last attempt to connect has failed, or as soon as one fails. Nothing has run
   * then, `cause` says why, and the call is not sent again. While the first attempt after a broken connection is under way, calls wait for it, up to `timeout`.
   *
   * In a cluster this counts for each master by itself. Renewals, releases in the background and subscriptions go on trying.
   *
   * @defaultValue false
   */
  readonly failFast?: boolean | undefined
}

/** Settings that every server section knows. */
export interface ServerOptions {
  /**
   * How long nothing may arrive from Redis while a reply is waited for, and none of a large request may leave, in milliseconds.
   *
   * A large value takes as long as the link needs for it.
   *
   * @defaultValue 3000
   */
  readonly timeout?: number | undefined
  /**
   * How long connecting may take, in milliseconds.
   *
   * @defaultValue 10000
   */
  readonly connectTimeout?: number | undefined
  /**
   * How often a command is sent again, if it may be, after the connection broke or no reply came.
   *
   * @defaultValue 4
   */
  readonly retryAttempts?: number | undefined
  /**
   * How long to wait before a command is sent again: a number of milliseconds, or a strategy.
   *
   * @defaultValue `{ type: 'EqualJitterDelay', baseDelay: 1000, maxDelay: 2000 }`
   */
  readonly retryDelay?: number | DelayOptions | undefined
  /**
   * How long to wait before connecting again: a number of milliseconds, or a strategy.
   *
   * @defaultValue `{ type: 'EqualJitterDelay', baseDelay: 100, maxDelay: 10000 }`
   */
  readonly reconnectionDelay?: number | DelayOptions | undefined
  /**
   * How long a waiter's subscription may take, in milliseconds.
   *
   * @defaultValue 7500
   */
  readonly subscriptionTimeout?: number | undefined
  /**
   * How often an idle connection gets a `PING`, in milliseconds; 0 for never.
   *
   * @defaultValue 30000
   */
  readonly pingConnectionInterval?: number | undefined
  /** User name, above the one of the client as a whole. */
  readonly username?: string | null | undefined
  /** Password, above the one of the client as a whole. */
  readonly password?: string | null | undefined
  /**
   * The name of the connections in `CLIENT LIST`.
   *
   * @defaultValue `ioredisson:<id>:<host>:<pid>`, with the id of the client, which is also in the fields of locks
   */
  readonly clientName?: string | null | undefined
  /**
   * Whether the system probes silent connections.
   *
   * @defaultValue true
   */
  readonly keepAlive?: boolean | undefined
  /**
   * Whether small packets are sent at once.
   *
   * @defaultValue true
   */
  readonly tcpNoDelay?: boolean | undefined
}

/** One server. */
export interface SingleServerOptions extends ServerOptions {
  /** Where it is, such as `redis://127.0.0.1:6379` or `rediss://user:password@example.org:6380`. The usual port may be left out. */
  readonly address: string
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number | undefined
}

/** One master that never changes, and its replicas. */
export interface MasterSlaveServersOptions extends ServerOptions {
  /** Where the master is. */
  readonly masterAddress: string
  /** Where the replicas are. Locks never use them. */
  readonly slaveAddresses?: readonly string[] | undefined
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number | undefined
}

/** A master that sentinels watch over. */
export interface SentinelServersOptions extends ServerOptions {
  /** The name of the master at the sentinels. */
  readonly masterName: string
  /** Where the sentinels are. One that replies is enough to find the others. */
  readonly sentinelAddresses: readonly string[]
  /** User name for the sentinels. */
  readonly sentinelUsername?: string | null | undefined
  /** Password for the sentinels. */
  readonly sentinelPassword?: string | null | undefined
  /**
   * Returns the user name and the password for the sentinels, where they change, as {@link CommonOptions.credentials} does for the servers. Not
   * together with `sentinelUsername` or `sentinelPassword`.
   *
   * @defaultValue none: the user name and the password stay the same
   */
  readonly sentinelCredentials?: CredentialsProvider | null | undefined
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number | undefined
  /**
   * Where values are read: at the master; at its replicas (`SLAVE`); or at either (`MASTER_SLAVE`). A replica
   * may still have an old value, even after a write of this client has returned. The setting only applies to
   * reads of buckets, maps, counters and keys that write nothing. Locks, synchronizers, writes, scripts,
   * iterators and batches always ask the master, and so does a read that no replica serves.
   *
   * @defaultValue 'MASTER'
   */
  readonly readMode?: 'MASTER' | 'SLAVE' | 'MASTER_SLAVE' | undefined
  /** Maps the addresses that sentinels report to those that this process can reach. */
  readonly natMapper?: NatMapper | undefined
}

/** Several servers of which one is the master, as managed offerings without a cluster have them. */
export interface ReplicatedServersOptions extends ServerOptions {
  /** Where the servers are. */
  readonly nodeAddresses: readonly string[]
  /**
   * How often the client looks for the master among the servers, in milliseconds.
   *
   * @defaultValue 1000
   */
  readonly scanInterval?: number | undefined
  /**
   * Which database to use.
   *
   * @defaultValue 0
   */
  readonly database?: number | undefined
}

/** A Redis Cluster. */
export interface ClusterServersOptions extends ServerOptions {
  /** Where some of its nodes are. One that replies is enough to find the others. */
  readonly nodeAddresses: readonly string[]
  /**
   * How often the cluster is asked for its topology, in milliseconds.
   *
   * @defaultValue 5000
   */
  readonly scanInterval?: number | undefined
  /**
   * Whether messages travel by sharded pub/sub. All clients of a cluster have to agree, those in Java as well.
   *
   * @defaultValue 'AUTO': where the server knows it, which is from version 7 on
   */
  readonly shardedSubscriptionMode?: 'AUTO' | 'ON' | 'OFF' | undefined
  /**
   * Where values are read: at the master; at its replicas (`SLAVE`); or at either (`MASTER_SLAVE`). A replica
   * may still have an old value, even after a write of this client has returned. The setting only applies to
   * reads of buckets, maps, counters and keys that write nothing. Locks, synchronizers, writes, scripts,
   * iterators and batches always ask the master, and so does a read that no replica serves.
   *
   * @defaultValue 'MASTER'
   */
  readonly readMode?: 'MASTER' | 'SLAVE' | 'MASTER_SLAVE' | undefined
  /** Maps the addresses that the cluster reports to those that this process can reach. */
  readonly natMapper?: NatMapper | undefined
}

/** Turns the names that the program uses into the names in Redis, and back. */
export interface NameMapper {
  /** Makes the name in Redis of the name that the program uses: a non-empty string without lone surrogates. */
  map(name: string): string
  /**
   * Returns the name in the program for a name in Redis. That name comes from `map`, or is any other name
   * that an iteration over keys or a pattern topic finds. If it throws, that iteration or topic gets the
   * error. If it does not return a string, they get a `TypeError`.
   */
  unmap(name: string): string
}

/** A place on the network. */
export interface HostAndPort {
  /** Name or address of the host. */
  readonly host: string
  /** Port on that host. */
  readonly port: number
}

/** Maps an address that a server reported to one that can be reached: a function, or a table by `host:port`. */
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
       * Doubles from attempt to attempt. Then all of it (`FullJitterDelay`) or half of it
       * (`EqualJitterDelay`) is random. `DecorrelatedJitterDelay` takes a random share of three times the
       * previous delay.
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
 * It serves as a pattern: connections of our own are made with its settings, and it is never used, changed or closed. With
 * `share: true` it is used for commands, and still never changed or closed.
 */
export interface IoredisClient {
  /** The settings that are taken over. */
  readonly options: object
  /** Makes another connection with the same settings. */
  duplicate(...overrides: never[]): unknown
}
