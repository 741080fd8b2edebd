import type { CacheOptions, RCache } from './cache/cache.api.js'
import type {
  ClientSideCachingOptions,
  RClientSideCaching,
} from './client-side-caching/client-side-caching.api.js'

export type * from './cache/cache.api.js'
export type * from './client-side-caching/client-side-caching.api.js'

/** The caches that a client hands out. */
export interface CacheObjects {
  /**
   * A cache that loads each value once in all processes.
   *
   * Calls with the same name and the same options return the same object, for as long as the program uses it: its calls share loads, memory, numbers
   * and events. Options are the same if they have the same values. Of `codec` it has to be the same object: keep a schema, or what `compressed()` and
   * codecs with options return, in a constant. Nothing is sent until it is used.
   *
   * @throws TypeError or RangeError for a name or options that are unknown or wrong
   * @example
   * ```ts
   * const prices = client.getCache<number>('prices', { ttlMs: 60_000 })
   * const price = await prices.getOrLoad('apple', () => fetchPrice('apple'))
   * ```
   */
  getCache<V = unknown>(name: string, options?: CacheOptions<V>): RCache<V>

  /**
   * Hands out objects whose reads are kept in this process, until Redis reports a change. Each has its own replies: make one, and use it
   * everywhere. Nothing is sent until one of its objects is used. It cannot be part of a batch.
   *
   * @throws TypeError or RangeError for options that are unknown or wrong
   */
  getClientSideCaching(options?: ClientSideCachingOptions): RClientSideCaching
}
