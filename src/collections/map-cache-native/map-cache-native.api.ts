import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { ObjectEvent, ObjectListener } from '../../api/object.js'
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

/** How a native map cache behaves. */
export interface MapCacheNativeOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {}

/** The options of a native map cache whose keys are no texts: they need a codec. */
export interface KeyedMapCacheNativeOptions<K, V> extends MapCacheNativeOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** The time to live of an entry that is put. */
export interface EntryTtlOptions {
  /**
   * After how many milliseconds the entry expires, up to 60 000 000 000 000.
   *
   * @defaultValue 0: never
   */
  readonly ttlMs?: number | undefined
}

/** The time to live of an entry that is there. */
export interface ExpireEntryOptions {
  /** After how many milliseconds the entry expires, more than 0 and up to 60 000 000 000 000. */
  readonly ttlMs: number
}

/** How long a value may wait to be computed, and how long it lasts then. */
export interface MapCacheNativeComputeOptions extends ComputeOptions, EntryTtlOptions {}

/** What a native map cache does in a way of its own, and what it does not do. */
type Replaced =
  | 'addListener'
  | 'clearExpire'
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
  | 'putIfExists'
  | 'remainTimeToLive'

/**
 * A map whose entries may expire, by the server itself: Redis 7.4 or later, or Valkey 9 or later. All clients of the same servers share it, in Node and in
 * Java. In Redis it is the same as a map of `getMap()`, which reads and changes it as well.
 *
 * It has the methods of {@link RMap}, without loaders and writers, and they cost the same. Only `fastPut` and `fastRemove` are scripts here, so that
 * entries that have ended do not count. With an older server, calls that set or read the times of entries reject with an
 * {@link UnsupportedCommandError}, and nothing is changed. All others work.
 *
 * From the end of an entry on, no method returns it. The server frees its memory within about a second. Until then it counts in `size()`, `isEmpty()`
 * and `isExists()`. `randomKeys` and `randomEntries` are the master's, whatever `readMode` says, since a replica may have more.
 * A cache whose entries have all ended is not copied.
 *
 * An entry whose value is set without `ttlMs` does not expire, whatever it did before. So it is with `replace`, `fastReplace` and `fastPutIfExists`, too,
 * which take no time: `putIfExists` does.
 * `addAndGet` is different: with it, the end of the entry stays as it is.
 *
 * There is no idle time, no limit of the size, and no event with keys and values: `getMapCache()` has them, on any server.
 *
 * @example
 * ```ts no-run
 * const codes = client.getMapCacheNative<string, number>('codes')
 * await codes.put('ada', 4711, { ttlMs: 60_000 })
 * console.log(await codes.remainTimeToLive('ada')) // about 60000
 * ```
 */
export interface RMapCacheNative<K, V> extends Omit<RMap<K, V>, Replaced>, AsyncIterable<[K, V]> {
  /**
   * Sets the value of the key, and returns the one before; undefined if there was none.
   *
   * @throws TypeError for `undefined` as key or value; RangeError for a time that is negative or too long
   */
  put(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined>

  /** Sets the value of the key. Returns whether it is new. Quicker than {@link RMapCacheNative.put}, since no value comes back. */
  fastPut(key: K, value: V, options?: EntryTtlOptions): Promise<boolean>

  /**
   * Sets the values of many keys, all of which last for the same time. Of a key that comes twice, the last value counts. One request for each
   * 5 000 entries, one after the other: see {@link RMap.putAll}.
   */
  putAll(entries: MapEntries<K, V>, options?: EntryTtlOptions): Promise<void>

  /** Sets the value of the key if it has none. Returns the one that it has, which stays; undefined if the new one was set. */
  putIfAbsent(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined>

  /** Sets the value of the key if it has none. Returns whether it did. */
  fastPutIfAbsent(key: K, value: V, options?: EntryTtlOptions): Promise<boolean>

  /** Sets the value of the key if it has one. Returns the one before; undefined if there was none, and nothing was set. */
  putIfExists(key: K, value: V, options?: EntryTtlOptions): Promise<V | undefined>

  /**
   * Sets the values of these keys, in one step, if each of them has one. Returns whether it did; for no entries, true.
   *
   * @throws RangeError for more than 5 000 entries
   */
  putIfAllKeysExist(entries: MapEntries<K, V>, options?: EntryTtlOptions): Promise<boolean>

  /**
   * Sets the values of these keys, in one step, if none of them has one. Returns whether it did; for no entries, true.
   *
   * @throws RangeError for more than 5 000 entries
   */
  putIfAllKeysAbsent(entries: MapEntries<K, V>, options?: EntryTtlOptions): Promise<boolean>

  /** Sets the value of the key to what a function makes of it, and when it ends. See {@link RMap.compute}. */
  compute(key: K, fn: ComputeFunction<K, V>, options?: MapCacheNativeComputeOptions): Promise<V | undefined>

  /** Returns the value of the key; if it has none, what a function returns, which is set. See {@link RMap.computeIfAbsent}. */
  computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: MapCacheNativeComputeOptions,
  ): Promise<V | undefined>

  /** Sets the value of a key that has one as {@link RMapCacheNative.compute} does. See {@link RMap.computeIfPresent}. */
  computeIfPresent(
    key: K,
    fn: ComputeIfPresentFunction<K, V>,
    options?: MapCacheNativeComputeOptions,
  ): Promise<V | undefined>

  /** Sets the value of the key; if it has one, what a function makes of both. See {@link RMap.merge}. */
  merge(
    key: K,
    value: V,
    fn: MergeFunction<V>,
    options?: MapCacheNativeComputeOptions,
  ): Promise<V | undefined>

  /**
   * Sets when the entry expires, from now on. The value stays. Returns whether the key has a value.
   *
   * @throws RangeError for a time of 0 or less: `clearExpire(key)` removes the time to live
   */
  expireEntry(key: K, options: ExpireEntryOptions): Promise<boolean>

  /** Sets when these entries expire. Returns how many of the keys have a value. One request for each 5 000 keys. */
  expireEntries(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number>

  /** Sets when the entry expires, if it does not expire yet. Returns whether it did. */
  expireEntryIfNotSet(key: K, options: ExpireEntryOptions): Promise<boolean>

  /** Sets when those of these entries expire that do not expire yet. Returns how many that were. One request for each 5 000 keys. */
  expireEntriesIfNotSet(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number>

  /** Sets when the entry expires, if it would expire earlier. Returns whether it did: not for an entry that does not expire. */
  expireEntryIfGreater(key: K, options: ExpireEntryOptions): Promise<boolean>

  /** Sets when those of these entries expire that would expire earlier. Returns how many that were. One request for each 5 000 keys. */
  expireEntriesIfGreater(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number>

  /** Sets when the entry expires, if it would expire later, or not at all. Returns whether it did. */
  expireEntryIfLess(key: K, options: ExpireEntryOptions): Promise<boolean>

  /** Sets when those of these entries expire that would expire later, or not at all. Returns how many that were. One request for each 5 000 keys. */
  expireEntriesIfLess(keys: Iterable<K>, options: ExpireEntryOptions): Promise<number>

  /** Removes the time to live of the whole cache, and of no entry. Returns whether there was one. See {@link RExpirable.clearExpire}. */
  clearExpire(): Promise<boolean>

  /** Removes the time to live of the entry. Returns whether there was one. */
  clearExpire(key: K): Promise<boolean>

  /** Removes the times to live of these entries. Returns for each of the keys whether there was one. One request for each 5 000 keys. */
  clearExpireEach(keys: Iterable<K>): Promise<Map<K, boolean>>

  /** Returns after how many milliseconds the cache expires as a whole: -1 for never, and -2 if it is not there. See {@link RExpirable.expire}. */
  remainTimeToLive(): Promise<number>

  /** Returns after how many milliseconds the entry expires: -1 for never, and -2 if the key has no value. */
  remainTimeToLive(key: K): Promise<number>

  /** Returns for each of the keys what `remainTimeToLive(key)` does. One request for each 5 000 keys. */
  remainTimeToLiveEach(keys: Iterable<K>): Promise<Map<K, number>>

  /**
   * Listens for the events of {@link RMap.addListener}, and for `entryExpired`: entries have expired, and their memory was freed. It needs
   * `Kh` in `notify-keyspace-events`. Redis does not say which keys.
   */
  addListener(
    event: ObjectEvent | 'put' | 'removed' | 'entryExpired',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
