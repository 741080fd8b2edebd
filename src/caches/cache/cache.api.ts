import type { CacheLoadOptions, CacheEntryOptions, CacheSettings } from '../../api/cache-settings.js'
import type { CodecOptions } from '../../api/object-options.js'

/** Options of one call that may load. */
export interface CacheCallOptions extends CacheLoadOptions {
  /** Ends the waiting of this call. The load goes on. */
  readonly signal?: AbortSignal | undefined
}

/** Options of {@link RCache.wrap}. */
export interface CacheWrapOptions<A extends readonly unknown[]> extends CacheCallOptions {
  /** Makes the key of the arguments. */
  readonly key: (...args: A) => string
}

/**
 * Options of {@link CacheObjects.getCache}. Those of entries and loads are the defaults of each call. What is left out is as {@link CommonOptions.caches}
 * has it for the name, if it has it.
 */
export interface CacheOptions<V> extends CodecOptions<V>, CacheSettings {}

/** What a loader is given. */
export interface CacheLoad<V> {
  /** The key. */
  readonly key: string
  /** Aborts when the client is shut down. No caller that gives up aborts it. */
  readonly signal: AbortSignal
  /** The stale value, if there is one. */
  readonly previous: V | undefined
}

/** Loads the value of a key. `undefined` means that there is none. */
export type CacheLoader<V, R extends V | undefined = V | undefined> = (
  load: CacheLoad<V>,
) => R | PromiseLike<R>

/** What a cache has counted since it was made, in this process. */
export interface CacheStats {
  /** Reads that found a fresh entry in memory. */
  readonly localHits: number
  /** Reads that found a fresh entry in Redis. */
  readonly remoteHits: number
  /** Calls that returned a stale value. */
  readonly staleHits: number
  /** Reads that found no fresh entry, or could not look for one while Redis was down. */
  readonly misses: number
  /** Loaders that were called. */
  readonly loads: number
  /** Loads that have failed: the loader has thrown, or its value cannot be stored, as what the codec cannot write. */
  readonly loadErrors: number
  /** Calls that waited for a load that another call of this process had begun. */
  readonly coalesced: number
}

/** A loader has returned. */
export interface CacheLoadedEvent {
  /** The key that was loaded. */
  readonly key: string
  /** How long it took, in milliseconds. */
  readonly elapsedMs: number
}

/** A loader has thrown, or its value cannot be stored. */
export interface CacheLoadFailedEvent {
  /** The key that was to be loaded. */
  readonly key: string
  /** What the loader has thrown, or why its value cannot be stored. */
  readonly error: unknown
}

/** Redis does not reply in time, or a node of a cluster. */
export interface CacheRedisDownEvent {
  /** That of the first call: what Redis has said, or that it has not replied. */
  readonly error: Error
}

/** Events of a cache, in this process. */
export interface CacheEvents {
  /** A loader has returned. */
  readonly loaded: CacheLoadedEvent
  /** A loader has thrown, or its value cannot be stored. Where a stale value was returned, nothing else says so. */
  readonly loadFailed: CacheLoadFailedEvent
  /** Redis, or a node of a cluster, does not reply in time: loaders are called without it. Once until `redisUp`. */
  readonly redisDown: CacheRedisDownEvent
  /** Redis has replied again, with all its nodes. */
  readonly redisUp: undefined
}

/**
 * A cache that loads each value once in all processes.
 *
 * Each entry is a key of Redis of its own, with a time to live, so that a cluster spreads them. What has to be loaded is loaded by one process, and
 * all others wait for it. When that process dies, another one loads within five seconds.
 *
 * After `delete`, `set` or `deleteTag` has resolved, no read that begins later returns the old value from Redis. A load that began before does not
 * store its value. With `local`, a process may serve its own copy for `local.ttlMs` more where the message of the change is late.
 *
 * While Redis takes no writes, as when it has no room (`noeviction`), entries that are there are returned. Others are loaded once in each process, and
 * not stored. While it does not reply, all are loaded so, except those in memory; in a cluster only what is at the node that does not reply.
 *
 * All calls for a key wait for a loader that hangs: set a `hardTimeoutMs`. `shutdown()` ends loads at once, with a {@link ClientClosedError}.
 *
 * Keys are texts. Values of one call are not copied for others: calls that wait for one load, and those served from memory, share one object. It is what
 * the loader has returned; later calls get what the codec reads.
 *
 * @example
 * ```ts
 * const prices = client.getCache<number>('prices', { ttlMs: 60_000, staleMs: 300_000 })
 * const price = await prices.getOrLoad('apple', async ({ signal }) => fetchPrice('apple', { signal }))
 * ```
 */
export interface RCache<V> {
  /** The name, as the program gave it. */
  readonly name: string

  /** What was counted so far. */
  readonly stats: CacheStats

  /**
   * Returns the value of a key if it is fresh; otherwise loads it, in one process at a time, and stores it.
   *
   * A hit costs one request. In a cluster one more, at the same time, asks for the times of tags and of {@link RCache.clear}, unless this process knows
   * them, or the name has a hash tag.
   * A stale value is returned at once, unless there is a `softTimeoutMs`, while one process loads.
   *
   * Where the loader throws, all calls of this process that wait for it reject with its error; those that have a stale value return that. Nothing is
   * stored, and the next call loads again. A call that waits for another process loads then itself.
   *
   * @throws what the loader throws
   * @throws {@link CacheTimeoutError} when `hardTimeoutMs` is over
   * @throws {@link CodecError} if the codec cannot write or read the value
   * @throws TypeError or RangeError for arguments and options that are unknown or wrong
   */
  getOrLoad<R extends V | undefined>(
    key: string,
    loader: CacheLoader<V, R>,
    options?: CacheCallOptions,
  ): Promise<V | R>

  /** Returns the value of a key if it is fresh; undefined otherwise. It costs what a hit of {@link RCache.getOrLoad} does. */
  get(key: string): Promise<V | undefined>

  /** Returns whether there is a fresh value for a key. */
  has(key: string): Promise<boolean>

  /**
   * Stores a value. A load that is under way does not replace it. Two requests, one after the other; they are sent again if a reply is lost.
   *
   * @throws TypeError for `undefined`
   */
  set(key: string, value: V, options?: CacheEntryOptions): Promise<void>

  /**
   * Removes an entry. A load that is under way does not store its value. Returns whether there was an entry, fresh or stale.
   *
   * It is sent again if its reply is lost, and then rejects with `mayHaveRun` if it finds none.
   */
  delete(key: string): Promise<boolean>

  /** Returns the fresh values of these keys. Those that have none are left out. One request for each key, a thousand at a time. */
  getMany(keys: Iterable<string>): Promise<Map<string, V>>

  /**
   * Stores values by key, each by itself. One request for each, a thousand at a time.
   *
   * @param values - keys and values: a `Map`, any other iterable of pairs, or a plain object
   * @throws the first error; others may have been stored, and it has `mayHaveRun` then
   */
  setMany(
    values: Iterable<readonly [string, V]> | Readonly<Record<string, V>>,
    options?: CacheEntryOptions,
  ): Promise<void>

  /** Removes entries, each by itself, as {@link RCache.delete} does. Returns how many there were. */
  deleteMany(keys: Iterable<string>): Promise<number>

  /**
   * Makes all entries old that were stored or begun to load before. O(1): they take memory of Redis until they expire. Those without an end do
   * until they are read, loaded or removed by their key. What has no end and is never asked for again stays.
   */
  clear(): Promise<void>

  /** Makes all entries of a tag old that were stored or begun to load before. O(1): they take memory of Redis until they expire. */
  deleteTag(tag: string): Promise<void>

  /**
   * Makes all entries of a tag stale that were stored or begun to load before: those with `staleMs` are returned while one process loads them anew.
   * Others are old. O(1).
   */
  expireTag(tag: string): Promise<void>

  /**
   * Makes a function that returns from the cache what another one returned before for the same key. That gets the `this` of the call.
   *
   * @param fn - the function; `undefined` means that there is no value
   * @param options - those of each call, and `key`, which makes the key of the arguments. No call can have others.
   * @example
   * ```ts
   * const priceOf = prices.wrap((sku: string) => fetchPrice(sku), { key: (sku) => sku })
   * console.log(await priceOf('apple'))
   * ```
   */
  wrap<A extends readonly unknown[], R extends V | undefined>(
    fn: (...args: A) => R | PromiseLike<R>,
    options: CacheWrapOptions<A>,
  ): (...args: A) => Promise<V | R>

  /** Drops what this process has in memory, and listens to no messages any more. The next call begins anew. Sends no request. */
  destroy(): void

  /** Calls a listener at each such event of this process. */
  on<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this
  /** Calls a listener at the next such event. */
  once<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this
  /** Removes a listener. */
  off<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this
}
