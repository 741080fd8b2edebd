import type { LocalCachedMapCacheObjects } from '../collections/local-cached-map-cache/local-cached-map-cache.api.js'
import type { LocalCachedMapObjects } from '../collections/local-cached-map/local-cached-map.api.js'
import type { AdderObjects } from '../counters/adder/adder.api.js'
import type { SnowflakeObjects } from '../counters/snowflake/snowflake.api.js'
import type { CacheObjects } from '../caches/caches.api.js'
import type { RedissonEvents } from './events.js'
import type { LockObjects } from '../locks/locks.api.js'
import type { BatchOptions, BatchResults, RBatch } from '../services/batch/batch.api.js'
import type { ServiceObjects } from '../services/services.api.js'
import type { DataObjects } from './data-objects.js'
import type { SignalledObjects } from './signalled-objects.js'
import type { SynchronizerObjects } from '../synchronizers/synchronizers.api.js'
import type { TopicObjects } from '../topics/topics.api.js'
import type { ThreadId } from './thread-id.js'

/** Options of {@link RedissonClient.runAsThread}. */
export interface RunAsThreadOptions {
  /**
   * The thread that it shall be.
   *
   * @defaultValue a new one
   */
  readonly threadId?: ThreadId | undefined
}

/** Options of {@link RedissonClient.ping}. */
export interface PingOptions {
  /** Ends the waiting for the replies. */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link RedissonClient.shutdown}. */
export interface ShutdownOptions {
  /**
   * How long holds and permits that are still held may take to be released, in milliseconds. Until then the watchdog renews
   * their leases, and they can be extended and released as usual.
   *
   * @defaultValue 0: their signals abort at once
   */
  readonly drainMs?: number | undefined
  /**
   * Whether holds and permits that are still held after that are released in Redis, so that another process gets them at
   * once. Their signals have aborted then, but their functions may still be running.
   *
   * @defaultValue false: they end with their leases. Permits of {@link RSemaphore.withPermit} have none, and are lost
   */
  readonly release?: boolean | undefined
}

/** Objects that live in Redis, and are shared by all clients of the same servers. */
export interface RedissonClient
  extends
    LockObjects,
    SynchronizerObjects,
    AdderObjects,
    LocalCachedMapObjects,
    LocalCachedMapCacheObjects,
    SnowflakeObjects,
    CacheObjects,
    TopicObjects,
    ServiceObjects,
    DataObjects {
  /** A UUID of this client alone: the first half of every owner that it writes. */
  readonly id: string

  /**
   * Whether there is a connection for commands at this moment, as far as this process knows. Nothing is sent.
   *
   * With one server, with sentinels and with replicated servers that is the connection to the master; in a cluster, those to all masters that have
   * slots. A server that has just fallen silent is noticed only later: {@link RedissonClient.ping} asks. False after the shutdown.
   */
  readonly isConnected: boolean

  /**
   * Asks Redis for a sign of life, in a cluster each master, and returns how long the last of them took, in milliseconds.
   *
   * It is asked once. While the last attempt to connect has failed this rejects at once, and without a reply after `timeout`.
   *
   * @throws {@link ConnectionLostError} if a master cannot be reached, with why as `cause`; {@link ReplyTimeoutError} if one does not reply;
   * {@link AuthenticationError} if one refuses the login; {@link AbortError} as soon as the signal aborts
   * @example
   * ```ts
   * const ms = await client.ping({ signal: AbortSignal.timeout(500) })
   * ```
   */
  ping(options?: PingOptions): Promise<number>

  /**
   * Returns the data objects, keys, scripts and functions of this client, with a signal that ends their
   * calls: for example for one HTTP request.
   *
   * Each call rejects with an {@link AbortError} as soon as the signal aborts, and later calls send nothing.
   * `cause` is the reason of the signal, and {@link RedissonError.mayHaveRun} says whether Redis may have
   * received the request. An iteration asks for its next page in the same way, and an iteration over messages
   * ends. If a poll was waiting for its reply, it may have removed values that it does not return.
   *
   * A call of a map also rejects while it waits for the lock of an entry, or while its callback, loader or
   * writer runs. That function receives the abort through its {@link ComputeContext.signal}. The lock is kept
   * until the function returns, and its result is dropped. Rows that a writer has written stay, and the map
   * does not change.
   *
   * Otherwise the objects, including nested ones, are those of the client. Locks of their entries, and all
   * other locks and synchronizers, take a signal in each waiting call. Batches have an option `signal`, and
   * listeners continue. Maps with write-behind are refused: their writes continue after the call. An id that
   * `nextId()` has asked for by then is used up.
   *
   * @throws TypeError for anything but an `AbortSignal`
   * @example
   * ```ts
   * const objects = client.withSignal(AbortSignal.timeout(500))
   * const stock = await objects.getMap<string, number>('stock').get('apples')
   * ```
   */
  withSignal(signal: AbortSignal): SignalledObjects

  /**
   * Runs a function as one thread: locks that it takes step by step are its own, and re-entered by what it awaits.
   *
   * Tasks that it leaves running when it has settled do not own its locks. It may return a query builder, or another
   * thenable: what its `then()` starts is of the same thread.
   */
  runAsThread<T>(fn: () => T | PromiseLike<T>, options?: RunAsThreadOptions): Promise<T>

  /**
   * Sends many calls together, and returns their results: one round trip for each slot of a cluster, whatever
   * their number.
   *
   * Calls for keys of one slot take effect in their order. Others run in parallel. A call whose reply was
   * lost is sent again as if it had been made alone. With it go all later calls of its slot that may be sent
   * again. The same is true for a call whose slot has moved.
   *
   * @param fn - makes the calls, and returns the promises of those whose results are needed. It must not be
   * `async`: nothing is sent before it has returned
   * @throws {@link BatchError} if calls have failed: the changes of the others stay, and their results are in
   * the error
   * @throws {@link NotInBatchError} if a call takes more than one request, or waits; or if `fn` calls an object
   * of the client instead of one of the batch. Nothing was sent then.
   * Nothing was sent either if an argument of a call is wrong, or `fn` has thrown
   * @throws {@link CrossSlotError} for an atomic batch with keys in several slots of a cluster; nothing was sent then
   * @throws {@link AbortError} as soon as the `signal` of the options aborts
   * @throws TypeError if `fn` returns no list, or an option is unknown or wrong; nothing was sent then
   * @example
   * ```ts
   * const [visits, user] = await client.batch((batch) => [
   *   batch.getAtomicLong('visits').incrementAndGet(),
   *   batch.getMap<string, { name: string }>('users').get('7'),
   * ])
   * ```
   */
  batch<const R extends readonly unknown[]>(
    fn: (batch: RBatch) => R,
    options?: BatchOptions & { readonly skipResult?: false | undefined },
  ): Promise<BatchResults<R>>
  /** The same for calls whose results are of no interest. */
  batch(
    fn: (batch: RBatch) => undefined | readonly unknown[],
    options: BatchOptions & { readonly skipResult: true },
  ): Promise<void>

  /**
   * Adds a listener for connections, and for locks that were lost. A listener that throws stops no other.
   *
   * There is no event `error`: what breaks a connection comes by `disconnected`, and what a call meets is what it rejects with.
   *
   * @throws RangeError for an event that never happens, whose name must be a mistake
   */
  on<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this

  /**
   * The same for the next event only. Node's `events.once(client, 'lockLost')` works as well.
   *
   * @example
   * ```ts
   * client.once('disconnected', ({ address }) => console.warn(`${address} is gone`))
   * ```
   */
  once<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this

  /** Returns how many listeners an event has. */
  listenerCount(event: keyof RedissonEvents): number

  /** Ends what {@link RedissonClient.on} or {@link RedissonClient.once} began. */
  off<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this

  /**
   * Ends the client, and closes its connections. A program with a client does not end by itself before that.
   *
   * New calls, and calls that wait, reject with a {@link ClientClosedError} from then on. Holds, permits and
   * the functions that run under them have {@link ShutdownOptions.drainMs | drainMs} to end. Then the
   * remaining ones are lost with the reason `closed`, and their signals abort. Without
   * {@link ShutdownOptions.release | release}, Redis frees them when their leases end, with the watchdog
   * after up to 30 seconds. In any case the call waits for requests that were sent, but no longer than Redis
   * may take to reply to one. So it settles even if Redis does not reply.
   *
   * It neither waits for nor releases holds with a `threadId` and a `leaseMs`, which another process may have
   * taken over. The same is true for permits without a hold: those of an {@link RSemaphore}, and ids of
   * permits.
   *
   * @returns the promise of the first call, even for later calls, whose options are ignored
   * @throws TypeError or RangeError for options that do not exist or make no sense; then nothing has begun
   *
   * @example
   * ```ts
   * process.once('SIGTERM', () => void client.shutdown({ drainMs: 20_000, release: true }))
   * ```
   */
  shutdown(options?: ShutdownOptions): Promise<void>

  /** The same as {@link RedissonClient.shutdown} without options, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
