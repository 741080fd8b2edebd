import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { KeyedMapCodec, RMap } from '../map/map.api.js'

/** How a local cached map behaves. */
export interface LocalCachedMapOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {
  /**
   * How many entries are kept here at most: 0 for any number, -1 for none.
   *
   * @defaultValue 0
   */
  readonly cacheSize?: number | undefined
  /**
   * Which entry makes room for a new one when as many are kept as may be:
   *
   * - `NONE`: none. The new entry is not kept.
   * - `LRU`: the one that was not used for the longest time.
   * - `LFU`: the one that was used least often.
   *
   * @defaultValue `NONE`
   */
  readonly evictionPolicy?: 'NONE' | 'LRU' | 'LFU' | undefined
  /**
   * For how many milliseconds an entry is kept here. The entry in Redis stays.
   *
   * @defaultValue 0: without an end
   */
  readonly ttlMs?: number | undefined
  /**
   * For how many milliseconds an entry is kept here that is not read.
   *
   * @defaultValue 0: without an end
   */
  readonly maxIdleMs?: number | undefined
  /**
   * How a change reaches the caches of other clients:
   *
   * - `INVALIDATE`: they drop the entry, and read it again when it is needed.
   * - `UPDATE`: they keep the new value. Each change then sends the value to all clients.
   * - `NONE`: not at all. What a client keeps is as old as `ttlMs` allows.
   *
   * All clients of a map need the same strategy. A client with `NONE` does not tell others of its changes.
   *
   * @defaultValue `INVALIDATE`
   */
  readonly syncStrategy?: 'INVALIDATE' | 'UPDATE' | 'NONE' | undefined
  /**
   * What happens when the connection that receives messages is back, after some may have been missed:
   *
   * - `CLEAR`: all entries that are kept here are dropped.
   * - `LOAD`: those are dropped that were changed in the last 11 minutes. Each change is noted in Redis for that. All entries are dropped after 10
   *   minutes without the connection, and if another server is master now. All clients that change the map need this strategy.
   * - `NONE`: none. A client may return old values, for as long as it keeps them.
   *
   * Until the connection is back, each read asks Redis.
   *
   * @defaultValue `CLEAR`. In Redisson it is `NONE`
   */
  readonly reconnectionStrategy?: 'CLEAR' | 'LOAD' | 'NONE' | undefined
  /**
   * Whether it is kept here that a key has no value.
   *
   * @defaultValue false
   */
  readonly storeCacheMiss?: boolean | undefined
}

/** The options of a local cached map whose keys are no texts: they need a codec. */
export interface KeyedLocalCachedMapOptions<K, V> extends LocalCachedMapOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/**
 * An {@link RMap} that keeps entries in this process, so that most reads send nothing. All clients of the same servers share the map, in Node and in
 * Java, and tell each other of changes.
 *
 * `get`, `getAll` and `containsKey` look here first, and `computeIfAbsent` as well. They keep what they read. All other methods that read ask Redis.
 * A value that is kept is stored as bytes: each call returns a value of its own.
 *
 * A change is made in Redis first, in one step with the message to all other clients. It is kept here once Redis has confirmed it. If a call
 * rejects, nothing is kept of its entry. What is read while it changes is not kept either. So a client is behind the others by the time that a message takes.
 *
 * While the connection that receives messages is down, each read asks Redis. A connection that is dead without anyone's knowledge is noticed by
 * `pingConnectionInterval`: until then, old values may be returned.
 *
 * Changes by programs that do not use local cached maps are not noticed, such as those by an {@link RMap} of the same name: see
 * {@link RLocalCachedMap.clearLocalCache}. If the map expires as a whole, its entries end here at the same time, unless it was a program without local cached maps that has set this.
 *
 * Each object keeps entries of its own, also of the same name. Make one for each map and use it everywhere. What it keeps ends with
 * {@link RLocalCachedMap.destroy}, or with the object itself.
 *
 * It has the methods of {@link RMap}, without loaders and writers. Methods that change one entry are not sent again if their reply is lost, unless
 * `exactlyOnce` is set. It cannot be part of a batch.
 *
 * @example
 * ```ts
 * await using prices = client.getLocalCachedMap<string, number>('prices', { cacheSize: 10_000, evictionPolicy: 'LRU' })
 * await prices.put('apple', 3)
 * console.log(await prices.get('apple')) // 3, without a request if messages arrive already
 * ```
 */
export interface RLocalCachedMap<K, V>
  extends Omit<RMap<K, V>, 'flush' | 'loadAll'>, AsyncIterable<[K, V]>, AsyncDisposable {
  /**
   * Reads all entries and keeps them, as far as there is room. Resolves when messages arrive, and all is read.
   *
   * One request for each `count` entries, about.
   *
   * @param count - how many entries a request looks at, from 1 to 5 000; 1 000 by default
   * @throws RangeError for another number
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm the subscription in time
   * @example
   * ```ts
   * await using rates = client.getLocalCachedMap<string, number>('rates')
   * await rates.preloadCache()
   * console.log(await rates.getCachedMap()) // all that the map has
   * ```
   */
  preloadCache(count?: number): Promise<void>

  /**
   * Drops all entries that are kept, by all clients. Returns whether all have confirmed it. It waits for up to 40 seconds for that.
   *
   * Call it after the map was changed by other means. The map itself stays as it is. Four requests.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm the subscription in time
   */
  clearLocalCache(): Promise<boolean>

  /** Returns the keys of the entries that are kept here. Sends nothing. */
  cachedKeySet(): Promise<K[]>

  /** Returns the values of the entries that are kept here. Sends nothing. */
  cachedValues(): Promise<V[]>

  /** Returns the entries that are kept here. Sends nothing. */
  cachedEntrySet(): Promise<[K, V][]>

  /** Returns the entries that are kept here. Sends nothing. What is not served now is not among them. */
  getCachedMap(): Promise<Map<K, V>>

  /**
   * Ends the local cache: it drops all entries, and listens no more. It may be called again. The object stays usable as one that keeps nothing, and notifies
   * others of its changes.
   */
  destroy(): Promise<void>
}

/** The maps with local caches that a client hands out. */
export interface LocalCachedMapObjects {
  /**
   * A map that keeps entries in this process, by its name, with keys that are texts. Nothing is sent until it is used.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getLocalCachedMap<K extends string = string, V = unknown>(
    name: string,
    options?: LocalCachedMapOptions<K, V>,
  ): RLocalCachedMap<K, V>

  /** A map that keeps entries in this process, and whose keys have a codec, and so may be anything. */
  getLocalCachedMap<K, V = unknown>(
    name: string,
    options: KeyedLocalCachedMapOptions<K, V>,
  ): RLocalCachedMap<K, V>
}
