import type { RLocalCachedMapCache } from './local-cached-map-cache.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { CacheChanges } from '../local-cached-map/cache-changes.js'
import type { LocalCache } from '../local-cached-map/cache/local-cache.js'
import { CachedReads } from '../local-cached-map/cached-reads.js'
import { CachingExecutor } from '../local-cached-map/caching-executor.js'
import type { Confirmations } from '../local-cached-map/confirmations.js'
import type { LocalCachedMapSettings } from '../local-cached-map/local-cached-map-options.js'
import { LocalView } from '../local-cached-map/local-view.js'
import { openCache } from '../local-cached-map/open-cache.js'
import { EntryCodec } from '../map/entry-codec.js'
import type { ComputeIfAbsentFunction } from '../map/map.api.js'
import type { MapCacheComputeOptions } from '../map-cache/map-cache.api.js'
import { RedissonMapCache, type MapCacheServices } from '../map-cache/map-cache.js'
import { MapCacheChanges } from './map-cache-changes.js'
import { MapCacheSource } from './map-cache-source.js'

/** What the local cached map caches of a client share. */
export interface LocalCachedMapCacheServices extends MapCacheServices {
  readonly confirmations: Confirmations
}

/** What a local cached map cache is made of. */
interface Cached {
  readonly context: ObjectContext
  readonly cache: LocalCache
  readonly reads: CachedReads
}

/** A map cache that keeps entries in this process. It reads them there first, and its requests that change entries change the local cache as well. */
export class RedissonLocalCachedMapCache<K, V>
  extends RedissonMapCache<K, V>
  implements RLocalCachedMapCache<K, V>
{
  static {
    refuseSurplus(this, {
      preloadCache: 'it takes one number',
      clearLocalCache: 'all is dropped',
      containsKey: 'it looks for one key',
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #cache: LocalCache
  readonly #reads: CachedReads
  readonly #view: LocalView<K, V>

  constructor(
    context: ObjectContext,
    name: string,
    settings: LocalCachedMapSettings<K, V>,
    services: LocalCachedMapCacheServices,
  ) {
    const { confirmations } = services
    const { cache, reads, ...cached } = withCache(context, name, settings, confirmations)
    super(cached.context, name, settings, services)
    const codec = new EntryCodec(name, settings.codec)
    this.#codec = codec
    this.#cache = cache
    this.#reads = reads
    this.#view = new LocalView<K, V>(this, {
      ...{ codec, cache, reads, confirmations },
      requests: this.requests,
      isLogged: false,
    })
  }

  override async containsKey(key: K): Promise<boolean> {
    const found = this.#cache.find(this.#codec.encodeKey(key))
    return found === undefined ? await super.containsKey(key) : found.value !== undefined
  }

  override async computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: MapCacheComputeOptions,
  ): Promise<V | undefined> {
    this.demandComputing(fn, options)
    const kept = this.#view.find(key)
    return kept === undefined ? await super.computeIfAbsent(key, fn, options) : kept
  }

  async preloadCache(count?: number): Promise<void> {
    this.used()
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

  /** What a computation depends on is read from Redis. */
  protected override readEntry(field: Argument, options?: RunOptions): Promise<Buffer | undefined> {
    if (options?.from === 'master') return super.readEntry(field, options)
    this.used()
    return this.#reads.get(field, options)
  }

  protected override readEntries(fields: readonly Argument[]): Promise<readonly (Buffer | undefined)[]> {
    this.used()
    return this.#reads.getAll(fields)
  }
}

/** Puts a local cache between a map cache and Redis. */
function withCache<K, V>(
  context: ObjectContext,
  name: string,
  settings: LocalCachedMapSettings<K, V>,
  confirmations: Confirmations,
): Cached {
  const { executor } = context
  const { cache, map } = openCache(context, name, settings, confirmations)
  const reads = new CachedReads(cache, new MapCacheSource(executor, map))
  const changes = new CacheChanges(executor, cache, { map, isLogged: false })
  const { handlers } = new MapCacheChanges(executor, changes, cache)
  return {
    cache,
    reads,
    context: { ...context, executor: new CachingExecutor(executor, { changes: handlers }) },
  }
}
