import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RGeo } from './geo/geo.api.js'
import type { RLexSortedSet } from './lex-sorted-set/lex-sorted-set.api.js'
import type { RList } from './list/list.api.js'
import type { KeyedMapOptions, MapOptions, RMap } from './map/map.api.js'
import type { KeyedMapCacheOptions, MapCacheOptions, RMapCache } from './map-cache/map-cache.api.js'
import type {
  KeyedMapCacheNativeOptions,
  MapCacheNativeOptions,
  RMapCacheNative,
} from './map-cache-native/map-cache-native.api.js'
import type { KeyedMapsOptions, MapsOptions, RMaps } from './maps/maps.api.js'
import type {
  KeyedMultimapOptions,
  MultimapOptions,
  RListMultimap,
  RSetMultimap,
} from './multimap/multimap.api.js'
import type { RListMultimapCache, RSetMultimapCache } from './multimap-cache/multimap-cache.api.js'
import type {
  RListMultimapCacheNative,
  RSetMultimapCacheNative,
} from './multimap-cache-native/multimap-cache-native.api.js'
import type { RScoredSortedSet } from './scored-sorted-set/scored-sorted-set.api.js'
import type { RSet } from './set/set.api.js'
import type { RSetCache } from './set-cache/set-cache.api.js'
import type { RSortedSet, SortedValue } from './sorted-set/sorted-set.api.js'
import type { RTimeSeries, TimeSeriesOptions } from './time-series/time-series.api.js'

export type * from './geo/geo.api.js'
export type * from './lex-sorted-set/lex-sorted-set.api.js'
export type * from './list/list.api.js'
export type * from './local-cached-map/local-cached-map.api.js'
export type * from './local-cached-map-cache/local-cached-map-cache.api.js'
export type * from './map/map.api.js'
export type * from './map-cache/map-cache.api.js'
export type * from './map-cache-native/map-cache-native.api.js'
export type * from './maps/maps.api.js'
export type * from './multimap/multimap.api.js'
export type * from './multimap-cache/multimap-cache.api.js'
export type * from './multimap-cache-native/multimap-cache-native.api.js'
export type * from './scored-sorted-set/scored-sorted-set.api.js'
export type * from './set/set.api.js'
export type * from './set-cache/set-cache.api.js'
export type * from './shared/polling.api.js'
export type * from './shared/sortable.api.js'
export type * from './sorted-set/sorted-set.api.js'
export type * from './time-series/time-series.api.js'

/** The collections that a client hands out. */
export interface CollectionObjects {
  /**
   * A map by its name, with keys that are texts. Nothing is sent until it is used, and nothing is kept of the map here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getMap<K extends string = string, V = unknown>(name: string, options?: MapOptions<K, V>): RMap<K, V>

  /** A map whose keys have a codec, and so may be anything. */
  getMap<K, V = unknown>(name: string, options: KeyedMapOptions<K, V>): RMap<K, V>

  /** A map whose entries may expire, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getMapCache<K extends string = string, V = unknown>(
    name: string,
    options?: MapCacheOptions<K, V>,
  ): RMapCache<K, V>

  /** A map whose entries may expire, and whose keys have a codec, and so may be anything. */
  getMapCache<K, V = unknown>(name: string, options: KeyedMapCacheOptions<K, V>): RMapCache<K, V>

  /** A map whose entries expire by the server itself, from Redis 7.4 or Valkey 9 on, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getMapCacheNative<K extends string = string, V = unknown>(
    name: string,
    options?: MapCacheNativeOptions<K, V>,
  ): RMapCacheNative<K, V>

  /** A map whose entries expire by the server itself, and whose keys have a codec, and so may be anything. */
  getMapCacheNative<K, V = unknown>(
    name: string,
    options: KeyedMapCacheNativeOptions<K, V>,
  ): RMapCacheNative<K, V>

  /** Replaces whole maps under many names, whose keys are texts. Nothing is sent until it is used. */
  getMaps<K extends string = string, V = unknown>(options?: MapsOptions<K, V>): RMaps<K, V>

  /** Replaces whole maps under many names, whose keys have a codec, and so may be anything. */
  getMaps<K, V = unknown>(options: KeyedMapsOptions<K, V>): RMaps<K, V>

  /** A list by its name. Nothing is sent until it is used, and nothing is kept of the list here. See `getMap()`. */
  getList<V = unknown>(name: string, options?: ValueOptions<V>): RList<V>

  /** A set by its name. Nothing is sent until it is used, and nothing is kept of the set here. See `getMap()`. */
  getSet<V = unknown>(name: string, options?: ValueOptions<V>): RSet<V>

  /** A set whose values may expire. Nothing is sent until it is used. See `getMap()`. */
  getSetCache<V = unknown>(name: string, options?: ValueOptions<V>): RSetCache<V>

  /** A set of values in the order of their scores. Nothing is sent until it is used, and nothing is kept of the set here. See `getMap()`. */
  getScoredSortedSet<V = unknown>(name: string, options?: ValueOptions<V>): RScoredSortedSet<V>

  /** Members and where they are, by name. Nothing is sent until it is used, and nothing is kept of the geo here. See `getMap()`. */
  getGeo<V = unknown>(name: string, options?: ValueOptions<V>): RGeo<V>

  /** A set of texts in the order of their bytes. Nothing is sent until it is used, and nothing is kept of the set here. See `getMap()`. */
  getLexSortedSet(name: string, options?: ObjectOptions): RLexSortedSet

  /** A set of texts or numbers in their natural order, for data that is shared with Java. Nothing is sent until it is used, and nothing is kept of the set here. See `getMap()`. */
  getSortedSet<V extends SortedValue = string>(name: string, options?: ValueOptions<V>): RSortedSet<V>

  /** A multimap that has each value of a key once, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getSetMultimap<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RSetMultimap<K, V>

  /** A multimap that has each value of a key once, and whose keys have a codec, and so may be anything. */
  getSetMultimap<K, V = unknown>(name: string, options: KeyedMultimapOptions<K, V>): RSetMultimap<K, V>

  /** A multimap that has the values of a key in an order, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getListMultimap<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RListMultimap<K, V>

  /** A multimap that has the values of a key in an order, and whose keys have a codec, and so may be anything. */
  getListMultimap<K, V = unknown>(name: string, options: KeyedMultimapOptions<K, V>): RListMultimap<K, V>

  /** A multimap whose keys may expire, that has each value of a key once, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getSetMultimapCache<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RSetMultimapCache<K, V>

  /** A multimap whose keys may expire, that has each value of a key once, and whose keys have a codec, and so may be anything. */
  getSetMultimapCache<K, V = unknown>(
    name: string,
    options: KeyedMultimapOptions<K, V>,
  ): RSetMultimapCache<K, V>

  /** A multimap whose keys may expire, that has the values of a key in an order, with keys that are texts. Nothing is sent until it is used. See `getMap()`. */
  getListMultimapCache<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RListMultimapCache<K, V>

  /** A multimap whose keys may expire, that has the values of a key in an order, and whose keys have a codec, and so may be anything. */
  getListMultimapCache<K, V = unknown>(
    name: string,
    options: KeyedMultimapOptions<K, V>,
  ): RListMultimapCache<K, V>

  /**
   * A multimap whose keys may expire by the server itself, that has each value of a key once, with keys that are texts: Redis 7.4 or Valkey 9. Nothing is
   * sent until it is used. See `getMap()`.
   */
  getSetMultimapCacheNative<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RSetMultimapCacheNative<K, V>

  /** The same, where the keys have a codec, and so may be anything. */
  getSetMultimapCacheNative<K, V = unknown>(
    name: string,
    options: KeyedMultimapOptions<K, V>,
  ): RSetMultimapCacheNative<K, V>

  /**
   * A multimap whose keys may expire by the server itself, that has the values of a key in an order, with keys that are texts: Redis 7.4 or Valkey 9. Nothing
   * is sent until it is used. See `getMap()`.
   */
  getListMultimapCacheNative<K extends string = string, V = unknown>(
    name: string,
    options?: MultimapOptions<K, V>,
  ): RListMultimapCacheNative<K, V>

  /** The same, where the keys have a codec, and so may be anything. */
  getListMultimapCacheNative<K, V = unknown>(
    name: string,
    options: KeyedMultimapOptions<K, V>,
  ): RListMultimapCacheNative<K, V>

  /** Values in the order of their timestamps. Nothing is sent until it is used. See `getMap()`. */
  getTimeSeries<V = unknown, L = unknown>(name: string, options?: TimeSeriesOptions<V, L>): RTimeSeries<V, L>
}
