import type {
  RListMultimap,
  RListMultimapValues,
  RMultimap,
  RSetMultimap,
  RSetMultimapValues,
} from '../multimap/multimap.api.js'

/**
 * A multimap whose keys may expire by the server itself, one by one, each with all of its values: Redis 7.4 or later, or Valkey 9 or later. All clients
 * of the same servers share it, in Node and in Java.
 *
 * It has the methods of {@link RMultimap}. With an older server, `expireKey` rejects with an {@link UnsupportedCommandError}, and nothing is changed.
 * All other methods work.
 *
 * From the end of a key on, no method returns it or its values, nor does the set or list that `get(key)` returns. The server frees the memory within about a
 * second. Until then the key counts in `keySize()`, `isEmpty()` and `isExists()`. A key that is put anew does not expire, and begins without values.
 *
 * Values that the multimap does not name are those of a key that has ended: they are removed when the key is next used. So reads of values are
 * the master's, whatever `readMode` says. Use no other kind of multimap with the same name.
 */
export interface RMultimapCacheNative<K, V, C> extends RMultimap<K, V, C> {
  /**
   * Sets when a key expires, with all of its values. Returns whether the key is there.
   *
   * Values that are put later, or in place of others, expire with it. A key whose last value is removed has no time to live any more. It is sent again if its
   * reply is lost.
   *
   * `remainTimeToLive()` of the values that `get(key)` returns is the time that is left.
   *
   * @param ttlMs - in how many milliseconds from now on, up to 60 000 000 000 000; 0 for never
   * @throws TypeError for `undefined` as the key; RangeError for a time that is negative, too long, or none
   * @throws {@link UnsupportedCommandError} if the server is too old
   * @example
   * ```ts no-run
   * const roles = client.getSetMultimapCacheNative<string, string>('roles')
   * await roles.putAll('ada', ['reader', 'author'])
   * console.log(await roles.expireKey('ada', 1_800_000)) // true
   * console.log(await roles.expireKey('alan', 1_800_000)) // false: the key is not there
   * ```
   */
  expireKey(key: K, ttlMs: number): Promise<boolean>
}

/**
 * A multimap whose keys may expire by the server itself, and that has each value of a key once. See {@link RSetMultimap} and
 * {@link RMultimapCacheNative}.
 */
export interface RSetMultimapCacheNative<K, V>
  extends RSetMultimap<K, V>, RMultimapCacheNative<K, V, RSetMultimapValues<V>> {}

/**
 * A multimap whose keys may expire by the server itself, and that has the values of a key in an order. See {@link RListMultimap} and
 * {@link RMultimapCacheNative}.
 */
export interface RListMultimapCacheNative<K, V>
  extends RListMultimap<K, V>, RMultimapCacheNative<K, V, RListMultimapValues<V>> {}
