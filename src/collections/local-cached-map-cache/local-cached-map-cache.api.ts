import type { KeyedMapCodec } from '../map/map.api.js'
import type { RMapCache } from '../map-cache/map-cache.api.js'
import type { LocalCachedMapOptions, RLocalCachedMap } from '../local-cached-map/local-cached-map.api.js'

/** How a local cached map cache behaves. */
export interface LocalCachedMapCacheOptions<K, V> extends Omit<
  LocalCachedMapOptions<K, V>,
  'reconnectionStrategy'
> {
  /**
   * What happens when the connection that receives messages is back, after some may have been missed:
   *
   * - `CLEAR`: all entries that are kept here are dropped.
   * - `NONE`: none. A client may return old values, for as long as it keeps them.
   *
   * Until the connection is back, each read asks Redis.
   *
   * @defaultValue `CLEAR`
   */
  readonly reconnectionStrategy?: 'CLEAR' | 'NONE' | undefined
}

/** The options of a local cached map cache whose keys are no texts: they need a codec. */
export interface KeyedLocalCachedMapCacheOptions<K, V> extends LocalCachedMapCacheOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/**
 * An {@link RMapCache} that keeps entries in this process, so that most reads send nothing. It has the methods of a map cache, and those of an
 * {@link RLocalCachedMap} that are about what is kept here.
 *
 * `get`, `getAll`, `containsKey` and `computeIfAbsent` look here first. Changes, messages and lost connections are as for {@link RLocalCachedMap}.
 *
 * An entry that expires is kept here for the time that it has left when Redis replies, counted from the moment at which this was asked. So it ends
 * here first. The clocks of servers and clients need not agree.
 *
 * What is read from here is no use of the entry in Redis: it does not begin the idle time anew, and does not count for the limit of the size. So an
 * entry with a `maxIdleMs` is kept here for a quarter of that time at most, and then asked for again, which is a use. It expires after three
 * quarters of its `maxIdleMs` without a read at the earliest.
 *
 * With `UPDATE`, other clients keep the new value of an entry that does not expire. An entry with an end is dropped by them: a message does not say
 * when it ends. `putIfExists`, `replace` and `addAndGet` have it dropped as well.
 *
 * An entry that is removed to make room, by a call of a local cached map cache, is dropped by all clients.
 *
 * Redisson has this in its PRO version. The map is shared with `RMapCache` in Java and with {@link RMapCache}, whose changes are not noticed: see
 * {@link RLocalCachedMap.clearLocalCache}. It cannot be part of a batch.
 *
 * @example
 * ```ts
 * await using sessions = client.getLocalCachedMapCache<string, { user: string }>('sessions')
 * await sessions.put('a1', { user: 'Ada' }, { ttlMs: 86_400_000 })
 * console.log(await sessions.get('a1')) // { user: 'Ada' }, without a request if messages arrive already
 * ```
 */
export interface RLocalCachedMapCache<K, V>
  extends
    RMapCache<K, V>,
    Pick<
      RLocalCachedMap<K, V>,
      | 'preloadCache'
      | 'clearLocalCache'
      | 'cachedKeySet'
      | 'cachedValues'
      | 'cachedEntrySet'
      | 'getCachedMap'
      | 'destroy'
    >,
    AsyncDisposable {}

/** The map caches with local caches that a client hands out. */
export interface LocalCachedMapCacheObjects {
  /**
   * A map cache that keeps entries in this process, by its name, with keys that are texts. Nothing is sent until it is used.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getLocalCachedMapCache<K extends string = string, V = unknown>(
    name: string,
    options?: LocalCachedMapCacheOptions<K, V>,
  ): RLocalCachedMapCache<K, V>

  /** A map cache that keeps entries in this process, and whose keys have a codec, and so may be anything. */
  getLocalCachedMapCache<K, V = unknown>(
    name: string,
    options: KeyedLocalCachedMapCacheOptions<K, V>,
  ): RLocalCachedMapCache<K, V>
}
