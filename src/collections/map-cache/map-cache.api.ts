import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { ObjectEvent, ObjectListener, RDumpable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type {
  ComputeFunction,
  ComputeIfAbsentFunction,
  ComputeIfPresentFunction,
  ComputeOptions,
  KeyedMapCodec,
  MapEntries,
  MergeFunction,
  RMap,
} from '../map/map.api.js'

/** How a map cache behaves. */
export interface MapCacheOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {}

/** The options of a map cache whose keys are no texts: they need a codec. */
export interface KeyedMapCacheOptions<K, V> extends MapCacheOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** How long an entry lasts. */
export interface EntryLifeOptions {
  /**
   * After how many milliseconds the entry expires.
   *
   * @defaultValue 0: never
   */
  readonly ttlMs?: number | undefined
  /**
   * After how many milliseconds without use the entry expires. Each call that reads or sets it is a use.
   *
   * @defaultValue 0: never
   */
  readonly maxIdleMs?: number | undefined
}

/** How long a value may wait to be computed, and how long it lasts then. */
export interface MapCacheComputeOptions extends ComputeOptions, EntryLifeOptions {}

/** Options of a limit. */
export interface MaxSizeOptions {
  /**
   * Which entries make room for new ones: those that were not used for the longest time (`LRU`), or those that were used least often (`LFU`).
   *
   * @defaultValue `LRU`
   */
  readonly mode?: 'LRU' | 'LFU' | undefined
}

/** The result of {@link RLeasedMap.getWithLease}: a value; or none, and whether the caller is to load it. */
export interface LeaseGetResult<V> {
  /** The value of the key; undefined if it has none. */
  readonly value: V | undefined
  /** Whether the call has got the lease, so that its caller is to load the value. It is false if there is a value. */
  readonly isLeaseAcquired: boolean
  /** The token of the lease, whichever caller has it; undefined if there is a value. */
  readonly leaseToken: string | undefined
}

/** A map of values that are loaded from elsewhere, each by one client at a time, in Node and in Java. */
export interface RLeasedMap<K, V> {
  /**
   * Returns the value of the key. If it has none, one caller gets a lease: it loads the value, and puts it with
   * {@link RLeasedMap.putWithLease}. All others see that the value is being loaded, and look again later.
   *
   * The lease ends with its time, with a value that is put, and with {@link RLeasedMap.removeWithLease}. If the call rejects, it ends a lease that it
   * may have taken, in the background. It cannot be part of a batch.
   *
   * `getCache()` does all of this by itself, and wakes the others when the value is there.
   *
   * @param leaseMs - for how long the lease lasts, in milliseconds: longer than the value takes to load
   * @throws RangeError for 0 or less
   * @example
   * ```ts
   * const prices = client.getMapCache<string, number>('prices')
   * const { value, isLeaseAcquired, leaseToken } = await prices.getWithLease('apple', 5_000)
   * if (isLeaseAcquired) await prices.putWithLease('apple', 3, leaseToken!, { ttlMs: 60_000 })
   * ```
   */
  getWithLease(key: K, leaseMs: number): Promise<LeaseGetResult<V>>

  /**
   * Sets the value of the key if the lease still lasts, and ends the lease. Returns whether it did: a value that is late, because the entry was
   * put since, or removed by {@link RLeasedMap.removeWithLease}, is not set. As in Java, the lease stays after `remove`, `fastRemove`, `clear`,
   * `delete`, `putAll` and `addAndGet`: a value that is late is set then.
   *
   * It is sent again if its reply is lost, and rejects with `mayHaveRun` if it then cannot know whether it has set the value.
   *
   * @param leaseToken - what {@link LeaseGetResult.leaseToken} was
   * @throws TypeError for a token that is no text, or an empty one
   */
  putWithLease(key: K, value: V, leaseToken: string, options?: EntryLifeOptions): Promise<boolean>

  /** Removes the key, and ends the lease under which its value is loaded: that value is not set. Returns whether the key had a value. */
  removeWithLease(key: K): Promise<boolean>
}

/** The events of entries, by the name under which they are listened to. */
export type MapCacheEventName = 'entryCreated' | 'entryUpdated' | 'entryRemoved' | 'entryExpired'

/** What has happened to an entry. */
export interface MapCacheEvent<K, V> {
  /** The event. */
  readonly type: MapCacheEventName
  /** The key of the entry. */
  readonly key: K
  /** The new value; of an entry that was removed or has expired, the one that it had. */
  readonly value: V
  /** The value before, of an entry that was updated. */
  readonly oldValue?: V
}

/** Is called with what has happened to an entry. */
export type MapCacheListener<K, V> = (event: MapCacheEvent<K, V>) => unknown

/** What a map cache does in a way of its own, and what it does not do. */
type Replaced =
  | keyof RDumpable
  | 'addListener'
  | 'compute'
  | 'computeIfAbsent'
  | 'computeIfPresent'
  | 'fastPut'
  | 'fastPutIfAbsent'
  | 'flush'
  | 'loadAll'
  | 'merge'
  | 'put'
  | 'putAll'
  | 'putIfAbsent'
  | 'remainTimeToLive'

/**
 * A map whose entries may expire, and that may be limited in size. All clients of the same servers share it, in Node and in Java.
 *
 * It has the methods of {@link RMap}, without loaders and writers. They cost about the same: one round trip, and O(log n) where an entry has an
 * end or the size is limited.
 *
 * An entry expires by the clock of the server. From that moment on, no method returns, counts or compares it. Its memory is freed later: by
 * clients that use the cache, and by calls that look at all entries.
 *
 * A value that is put without `ttlMs` and `maxIdleMs` does not expire, whatever the one before did. `putIfExists`, `fastPutIfExists`, `replace`,
 * `fastReplace` and `addAndGet` are different: with them, the end of the entry stays as it is.
 *
 * Reading an entry is a use: it begins its idle time anew, and counts for the limit of the size. Iterations and the methods `readAll…` begin
 * idle times anew and do not count for the limit. So most methods that read are the master's, whatever `readMode` says.
 *
 * @example
 * ```ts
 * const sessions = client.getMapCache<string, { user: string }>('sessions')
 * await sessions.setMaxSize(10_000)
 * await sessions.put('a1', { user: 'Ada' }, { ttlMs: 86_400_000, maxIdleMs: 1_800_000 })
 * console.log(await sessions.get('a1')) // { user: 'Ada' }
 * ```
 */
export interface RMapCache<K, V> extends Omit<RMap<K, V>, Replaced>, RLeasedMap<K, V>, AsyncIterable<[K, V]> {
  /**
   * Sets the value of the key, and returns the one before; undefined if there was none.
   *
   * @throws TypeError for `undefined` as key or value; RangeError for a time that is negative
   * @example
   * ```ts
   * const codes = client.getMapCache<string, number>('codes')
   * await codes.put('ada', 4711, { ttlMs: 60_000 })
   * ```
   */
  put(key: K, value: V, options?: EntryLifeOptions): Promise<V | undefined>

  /** Sets the value of the key. Returns whether it is new. Quicker than {@link RMapCache.put}, since no value comes back. */
  fastPut(key: K, value: V, options?: EntryLifeOptions): Promise<boolean>

  /**
   * Sets the values of many keys, all of which last for the same time. Of a key that comes twice, the last value counts. One request for each
   * 1 000 entries, one after the other: see {@link RMap.putAll}.
   */
  putAll(entries: MapEntries<K, V>, options?: EntryLifeOptions): Promise<void>

  /** Sets the value of the key if it has none. Returns the one that it has, which stays; undefined if the new one was set. */
  putIfAbsent(key: K, value: V, options?: EntryLifeOptions): Promise<V | undefined>

  /** Sets the value of the key if it has none. Returns whether it did. */
  fastPutIfAbsent(key: K, value: V, options?: EntryLifeOptions): Promise<boolean>

  /** Sets the value of the key to what a function makes of it, and when it ends. See {@link RMap.compute}. */
  compute(key: K, fn: ComputeFunction<K, V>, options?: MapCacheComputeOptions): Promise<V | undefined>

  /** Returns the value of the key; if it has none, what a function returns, which is set. See {@link RMap.computeIfAbsent}. */
  computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: MapCacheComputeOptions,
  ): Promise<V | undefined>

  /** Sets the value of a key that has one as {@link RMapCache.compute} does. See {@link RMap.computeIfPresent}. */
  computeIfPresent(
    key: K,
    fn: ComputeIfPresentFunction<K, V>,
    options?: MapCacheComputeOptions,
  ): Promise<V | undefined>

  /** Sets the value of the key; if it has one, what a function makes of both. See {@link RMap.merge}. */
  merge(key: K, value: V, fn: MergeFunction<V>, options?: MapCacheComputeOptions): Promise<V | undefined>

  /**
   * Returns the value of the key, if its `ttlMs` is not over, and does not look at its `maxIdleMs`. That is no use of the entry. A replica may
   * reply.
   */
  getWithTTLOnly(key: K): Promise<V | undefined>

  /** Returns the values of these keys, in their order, as {@link RMapCache.getWithTTLOnly} does. One request for each 1 000 keys. */
  getAllWithTTLOnly(keys: Iterable<K>): Promise<Map<K, V>>

  /**
   * Sets when the entry expires, from now on; without times it does not expire. The value stays. Returns whether the key has a value.
   *
   * @example
   * ```ts
   * const codes = client.getMapCache<string, number>('codes')
   * await codes.expireEntry('ada', { ttlMs: 60_000 })
   * ```
   */
  expireEntry(key: K, options: EntryLifeOptions): Promise<boolean>

  /** Sets when these entries expire. Returns how many of the keys have a value. One request for each 1 000 keys. */
  expireEntries(keys: Iterable<K>, options: EntryLifeOptions): Promise<number>

  /** Sets when the entry expires, if it does not expire yet. Returns whether it did. */
  expireEntryIfNotSet(key: K, options: EntryLifeOptions): Promise<boolean>

  /** Sets when those of these entries expire that do not expire yet. Returns how many that were. One request for each 1 000 keys. */
  expireEntriesIfNotSet(keys: Iterable<K>, options: EntryLifeOptions): Promise<number>

  /** Returns after how many milliseconds the cache expires as a whole: -1 for never, and -2 if it is not there. See {@link RExpirable.expire}. */
  remainTimeToLive(): Promise<number>

  /** Returns after how many milliseconds the entry expires if it is not used: -1 for never, and -2 if the key has no value. */
  remainTimeToLive(key: K): Promise<number>

  /**
   * Limits the number of entries. What is there beyond the limit is removed now, and each new entry removes another one. Entries that have
   * expired go first. The limit is kept in Redis, for all clients, and stays when the cache is cleared.
   *
   * Takes O(n) for n entries, in requests for about 1 000 of them each. It cannot be part of a batch.
   *
   * @param maxSize - 0 for no limit
   * @throws RangeError for a number that is negative or has a fraction
   */
  setMaxSize(maxSize: number, options?: MaxSizeOptions): Promise<void>

  /** Limits the number of entries as {@link RMapCache.setMaxSize} does, if no limit was ever set. Returns whether it did. */
  trySetMaxSize(maxSize: number, options?: MaxSizeOptions): Promise<boolean>

  /** Listens for the events of {@link RObject.addListener}, which are about the cache as a whole. */
  addListener(event: ObjectEvent, listener: ObjectListener, options?: ListenOptions): Promise<Subscription>

  /**
   * Listens for what happens to entries, by calls of any client, in Node and in Java. Resolves once Redis has confirmed the subscription.
   *
   * - `entryCreated`: a value was set under a key that had none.
   * - `entryUpdated`: a value was replaced.
   * - `entryRemoved`: an entry was removed by a call, or to make room for another.
   * - `entryExpired`: an entry has expired, and its memory was freed. That is seconds to half an hour after its end: see {@link RMapCache}.
   *
   * `clear`, `delete` and the like publish nothing. From the first listener on, all changes of the cache are published, also when no one
   * listens any more.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm it in time
   * @example
   * ```ts no-run
   * const sessions = client.getMapCache<string, { user: string }>('sessions')
   * await using subscription = await sessions.addListener('entryExpired', ({ key, value }) => console.log(key, value.user))
   * ```
   */
  addListener(
    event: MapCacheEventName,
    listener: MapCacheListener<K, V>,
    options?: ListenOptions,
  ): Promise<Subscription>
}
