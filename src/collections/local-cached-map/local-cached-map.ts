import type { RLocalCachedMap } from './local-cached-map.api.js'
import type { ComputeIfAbsentFunction, ComputeOptions } from '../map/map.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { localCacheLog } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ObjectKeys } from '../../core/redisson-object.js'
import { EntryCodec } from '../map/entry-codec.js'
import { RedissonMap, type MapServices } from '../map/map.js'
import { CacheChanges } from './cache-changes.js'
import { MapChanges } from './map-changes.js'
import { CachedReads } from './cached-reads.js'
import { CachingExecutor } from './caching-executor.js'
import type { Confirmations } from './confirmations.js'
import type { LocalCache } from './cache/local-cache.js'
import type { LocalCachedMapSettings } from './local-cached-map-options.js'
import { LocalView } from './local-view.js'
import { cachedReadsOfMap, MapEntrySource } from './map-entry-source.js'
import { openCache } from './open-cache.js'

/** What the local cached maps of a client share. */
export interface LocalCachedMapServices extends Pick<MapServices, 'rooms' | 'computations'> {
  readonly confirmations: Confirmations
}

/** What a local cached map is made of. */
interface Cached {
  readonly context: ObjectContext
  readonly cache: LocalCache
  readonly reads: CachedReads
}

/** A map that keeps entries in this process. Its requests look into the cache, and change it: see {@link CachingExecutor}. */
export class RedissonLocalCachedMap<K, V> extends RedissonMap<K, V> implements RLocalCachedMap<K, V> {
  static {
    refuseSurplus(this, {
      preloadCache: 'it takes one number',
      clearLocalCache: 'all is dropped',
    })
  }

  readonly #view: LocalView<K, V>
  readonly #isLogged: boolean

  constructor(
    context: ObjectContext,
    name: string,
    settings: LocalCachedMapSettings<K, V>,
    services: LocalCachedMapServices,
  ) {
    const { confirmations } = services
    const { cache, reads, ...cached } = withCache(context, name, settings, confirmations)
    super(cached.context, name, settings, services)
    const codec = new EntryCodec(name, settings.codec)
    this.#isLogged = isLogged(settings)
    this.#view = new LocalView<K, V>(this, {
      ...{ codec, cache, reads, confirmations },
      requests: this.requests,
      isLogged: this.#isLogged,
    })
  }

  override async computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: ComputeOptions,
  ): Promise<V | undefined> {
    this.demandComputing(fn, options)
    const kept = this.#view.find(key)
    return kept === undefined ? await super.computeIfAbsent(key, fn, options) : kept
  }

  async preloadCache(count?: number): Promise<void> {
    await this.#view.preload(count)
  }

  async clearLocalCache(): Promise<boolean> {
    return await this.#view.clear()
  }

  async cachedKeySet(): Promise<K[]> {
    return await this.#view.keys()
  }

  async cachedValues(): Promise<V[]> {
    return (await this.#view.entries()).map(([, value]) => value)
  }

  async cachedEntrySet(): Promise<[K, V][]> {
    return await this.#view.entries()
  }

  async getCachedMap(): Promise<Map<K, V>> {
    return new Map(await this.#view.entries())
  }

  async destroy(): Promise<void> {
    this.#view.destroy()
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy()
  }

  protected override keysOf(key: string): ObjectKeys {
    return this.#isLogged ? [key, localCacheLog(key)] : [key]
  }
}

/** Puts a local cache between a map and Redis. */
function withCache<K, V>(
  context: ObjectContext,
  name: string,
  settings: LocalCachedMapSettings<K, V>,
  confirmations: Confirmations,
): Cached {
  const { executor } = context
  const { cache, map } = openCache(context, name, settings, confirmations)
  const reads = new CachedReads(cache, new MapEntrySource(executor, map))
  const changes = new CacheChanges(executor, cache, { map, isLogged: isLogged(settings) })
  const caching = new CachingExecutor(executor, {
    reads: cachedReadsOfMap(executor, cache, reads),
    changes: new MapChanges(executor, changes, map).handlers,
  })
  return { cache, reads, context: { ...context, executor: caching } }
}

/** Whether changes are noted in Redis. */
function isLogged({
  sync,
  reconnection,
}: Pick<LocalCachedMapSettings<unknown, unknown>, 'sync' | 'reconnection'>) {
  return sync !== 'NONE' && reconnection === 'LOAD'
}
