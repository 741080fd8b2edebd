import type { RLocalCachedMap } from './local-cached-map.api.js'
import type { ComputeIfAbsentFunction, ComputeOptions } from '../map/map.api.js'
import { randomBytes } from 'node:crypto'
import { FROM_MASTER } from '../../command/operation/command-executor.js'
import { keyOf } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { checkedScan } from '../../core/arguments/scan-settings.js'
import { localCacheLog, localCacheTopic } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { pagesOf } from '../../core/pages.js'
import type { ObjectKeys } from '../../core/redisson-object.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import { EntryCodec } from '../map/entry-codec.js'
import { RedissonMap, type MapServices } from '../map/map.js'
import { clearMessage, ID_BYTES } from './cache/cache-messages.js'
import { CachingExecutor } from './caching-executor.js'
import type { Confirmations } from './confirmations.js'
import { entryOf } from './cache/cached-entry.js'
import { LocalCache } from './cache/local-cache.js'
import type { LocalCachedMapSettings } from './local-cached-map-options.js'
import * as scripts from './local-cached-map.scripts.js'

/** For how long the confirmations of a request are kept, and how long they are waited for, in milliseconds. Redisson has the same. */
const CONFIRMATIONS_LIFE_MS = 60_000
const CONFIRMATIONS_WAIT_MS = 40_000

/** Ends the local caches of objects that the program does not refer to any more. */
const unused = new FinalizationRegistry<LocalCache>((cache) => {
  cache.destroy()
})

/** What the local cached maps of a client share. */
export interface LocalCachedMapServices extends Pick<MapServices, 'rooms' | 'computations'> {
  readonly confirmations: Confirmations
}

/** What a local cached map is made of. */
interface Cached {
  readonly context: ObjectContext
  readonly cache: LocalCache
}

/** A map that keeps entries in this process. Its requests look into the cache, and change it: see {@link CachingExecutor}. */
export class RedissonLocalCachedMap<K, V> extends RedissonMap<K, V> implements RLocalCachedMap<K, V> {
  static {
    refuseSurplus(this, {
      preloadCache: 'it takes one number',
      clearLocalCache: 'all is dropped',
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #cache: LocalCache
  readonly #confirmations: Confirmations
  readonly #isLogged: boolean

  constructor(
    context: ObjectContext,
    name: string,
    settings: LocalCachedMapSettings<K, V>,
    services: LocalCachedMapServices,
  ) {
    const { cache, ...cached } = withCache(context, name, settings, services)
    super(cached.context, name, settings, services)
    this.#codec = new EntryCodec(name, settings.codec)
    this.#cache = cache
    this.#confirmations = services.confirmations
    this.#isLogged = isLogged(settings)
    unused.register(this, cache, cache)
  }

  override async computeIfAbsent(
    key: K,
    fn: ComputeIfAbsentFunction<K, V>,
    options?: ComputeOptions,
  ): Promise<V | undefined> {
    this.demandComputing(fn, options)
    const kept = this.#cache.find(this.#codec.encodeKey(key))?.value
    if (kept !== undefined) return this.#codec.decodeValue(Buffer.from(kept), key)
    return await super.computeIfAbsent(key, fn, options)
  }

  async preloadCache(count?: number): Promise<void> {
    const settings = checkedScan(count === undefined ? {} : { count })
    await this.#cache.opened()
    for await (const _ of pagesOf((cursor) => this.#preload(cursor, settings.count))) continue
  }

  async clearLocalCache(): Promise<boolean> {
    const cache = this.#cache
    cache.dropAll()
    if (!cache.isShared) return true
    await cache.opened()
    const requestId = randomBytes(ID_BYTES)
    const semaphore = this.#confirmations.expect(this.key, requestId.toString('hex'))
    await semaphore.trySetPermits(0, CONFIRMATIONS_LIFE_MS)
    try {
      const receivers = await this.#publishClear(requestId)
      return (
        receivers <= 1 ||
        (await semaphore.tryAcquire({ permits: receivers - 1, waitMs: CONFIRMATIONS_WAIT_MS }))
      )
    } finally {
      cache.dropAll()
      await semaphore.delete()
    }
  }

  async cachedKeySet(): Promise<K[]> {
    return await mapInTurns([...this.#cache.values()], ({ key }) => this.#codec.decodeKey(Buffer.from(key)))
  }

  async cachedValues(): Promise<V[]> {
    return (await this.cachedEntrySet()).map(([, value]) => value)
  }

  async cachedEntrySet(): Promise<[K, V][]> {
    return await mapInTurns([...this.#cache.values()], ({ key, value }) =>
      this.#codec.decodeEntry([Buffer.from(key), Buffer.from(value)]),
    )
  }

  async getCachedMap(): Promise<Map<K, V>> {
    return new Map(await this.cachedEntrySet())
  }

  async destroy(): Promise<void> {
    unused.unregister(this.#cache)
    this.#cache.destroy()
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy()
  }

  protected override keysOf(key: string): ObjectKeys {
    return this.#isLogged ? [key, localCacheLog(key)] : [key]
  }

  async #preload(cursor: string, count: number): Promise<readonly [string, readonly unknown[]]> {
    const cache = this.#cache
    const startedAt = performance.now()
    const flight = cache.beginReads()
    try {
      const [next, entries, leftMs] = await this.ask(scripts.page, { cursor, count }, {}, FROM_MASTER)
      for (const [key, value] of entries) {
        const entry = entryOf(key, value)
        const isStale = flight.isStale || flight.stale.has(entry.hash)
        cache.keep(entry, { isStale, leftMs, startedAt })
      }
      return [next, entries]
    } finally {
      cache.endReads(flight)
    }
  }

  /** Returns how many clients have received it. */
  async #publishClear(requestId: Buffer): Promise<number> {
    const cache = this.#cache
    const change = cache.beginChangeOfAll()
    const args = {
      channel: localCacheTopic(this.key),
      message: clearMessage(change.sender, requestId, true),
    }
    try {
      return await this.ask(scripts.publish, args)
    } catch (error) {
      cache.endUnknown(change)
      throw error
    }
  }
}

/** Puts a local cache between a map and Redis. The cache does not refer to the map, which can be garbage-collected. */
function withCache<K, V>(
  context: ObjectContext,
  name: string,
  settings: LocalCachedMapSettings<K, V>,
  { confirmations }: LocalCachedMapServices,
): Cached {
  const map = keyOf(context, name)
  const confirm = (requestId: string, database: number) => {
    confirmations.confirm(map, requestId, database)
  }
  const cache = new LocalCache({ context, map, settings, confirm })
  const executor = new CachingExecutor(context.executor, cache, map, isLogged(settings))
  return { cache, context: { ...context, executor } }
}

/** Whether changes are noted in Redis. */
function isLogged({
  sync,
  reconnection,
}: Pick<LocalCachedMapSettings<unknown, unknown>, 'sync' | 'reconnection'>) {
  return sync !== 'NONE' && reconnection === 'LOAD'
}
