import type {
  RListMultimap,
  RListMultimapValues,
  RMultimap,
  RSetMultimap,
  RSetMultimapValues,
} from '../multimap/multimap.api.js'

/**
 * A multimap whose keys may expire, one by one, each with all of its values. All clients of the same servers share it, in Node and in Java.
 *
 * It has the methods of {@link RMultimap}. A key expires by the clock of the server. From that moment on, no method returns, counts or changes it or
 * its values. That is true of the set or list that `get(key)` returns, too. A key that is put anew does not expire.
 *
 * Each call first removes the keys that have expired, in the same step, up to 1 000 of them for each round trip. So all reads are the master's, whatever
 * `readMode` says. Clients that have used the multimap remove the keys that no call has removed.
 */
export interface RMultimapCache<K, V, C> extends RMultimap<K, V, C> {
  /**
   * Sets when a key expires, with all of its values. Returns whether the key is there.
   *
   * Values that are put later expire with it. A key whose last value is removed has no time to live any more. Takes O(log n) for n keys that expire. It is
   * sent again if its reply is lost.
   *
   * @param ttlMs - in how many milliseconds from now on; 0 for never
   * @throws TypeError for `undefined` as the key; RangeError for a time that is negative, or none
   * @example
   * ```ts
   * const carts = client.getListMultimapCache<string, string>('carts')
   * await carts.putAll('ada', ['tea', 'milk'])
   * console.log(await carts.expireKey('ada', 1_800_000)) // true
   * console.log(await carts.expireKey('alan', 1_800_000)) // false: the key is not there
   * ```
   */
  expireKey(key: K, ttlMs: number): Promise<boolean>
}

/** A multimap whose keys may expire, and that has each value of a key once. See {@link RSetMultimap} and {@link RMultimapCache}. */
export interface RSetMultimapCache<K, V>
  extends RSetMultimap<K, V>, RMultimapCache<K, V, RSetMultimapValues<V>> {}

/** A multimap whose keys may expire, and that has the values of a key in an order. See {@link RListMultimap} and {@link RMultimapCache}. */
export interface RListMultimapCache<K, V>
  extends RListMultimap<K, V>, RMultimapCache<K, V, RListMultimapValues<V>> {}
