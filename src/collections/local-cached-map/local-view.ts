import { randomBytes } from 'node:crypto'
import { checkedScan } from '../../core/arguments/scan-settings.js'
import { localCacheLog, localCacheTopic } from '../../core/context/names.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { pagesOf } from '../../core/pages.js'
import { mapInTurns } from '../../util/map-in-turns.js'
import type { EntryCodec } from '../map/entry-codec.js'
import { clearMessage, ID_BYTES } from './cache/cache-messages.js'
import { chanceOfMark } from './cache/change-log.js'
import type { LocalCache } from './cache/local-cache.js'
import type { CachedReads } from './cached-reads.js'
import type { Confirmations } from './confirmations.js'
import * as scripts from './local-cached-map.scripts.js'

/** For how long the confirmations of a request are kept, and how long they are waited for, in milliseconds. Redisson has the same. */
const CONFIRMATIONS_LIFE_MS = 60_000
const CONFIRMATIONS_WAIT_MS = 40_000

/** Ends the local caches of objects that the program does not refer to any more. */
const unused = new FinalizationRegistry<LocalCache>((cache) => {
  cache.destroy()
})

/** What a {@link LocalView} is made with. */
export interface LocalViewDeps<K, V> {
  readonly codec: EntryCodec<K, V>
  readonly cache: LocalCache
  readonly reads: CachedReads
  readonly requests: ObjectRequests
  readonly confirmations: Confirmations
  /** Whether changes are noted in Redis. */
  readonly isLogged: boolean
}

/** What a program sees of the local cache of an object, and does with it. */
export class LocalView<K, V> {
  readonly #deps: LocalViewDeps<K, V>

  /** @param owner - the cache ends when this is garbage-collected */
  constructor(owner: object, deps: LocalViewDeps<K, V>) {
    this.#deps = deps
    unused.register(owner, deps.cache, deps.cache)
  }

  /** The value that is kept of a key. */
  find(key: K): V | undefined {
    const { cache, codec } = this.#deps
    const kept = cache.find(codec.encodeKey(key))?.value
    return kept === undefined ? undefined : codec.decodeValue(Buffer.from(kept), key)
  }

  async preload(count: number | undefined): Promise<void> {
    const { cache, reads } = this.#deps
    const settings = checkedScan(count === undefined ? {} : { count })
    await cache.opened()
    for await (const _ of pagesOf((cursor) => reads.preload(cursor, settings.count))) continue
  }

  async clear(): Promise<boolean> {
    const { cache, confirmations, requests } = this.#deps
    cache.dropAll()
    if (!cache.isShared) return true
    await cache.opened()
    const requestId = randomBytes(ID_BYTES)
    const semaphore = confirmations.expect(requests.key, requestId.toString('hex'))
    await semaphore.trySetPermits(0, CONFIRMATIONS_LIFE_MS)
    try {
      const receivers = await this.#publishClear(requestId)
      const others = receivers - (cache.hearsOwn ? 1 : 0)
      if (others < 0) return false // it was not published
      return others === 0 || (await semaphore.tryAcquire({ permits: others, waitMs: CONFIRMATIONS_WAIT_MS }))
    } finally {
      cache.clear()
      await semaphore.delete()
    }
  }

  async keys(): Promise<K[]> {
    const { cache, codec } = this.#deps
    return await mapInTurns([...cache.values()], ({ key }) => codec.decodeKey(Buffer.from(key)))
  }

  async entries(): Promise<[K, V][]> {
    const { cache, codec } = this.#deps
    return await mapInTurns([...cache.values()], ({ key, value }) =>
      codec.decodeEntry([Buffer.from(key), Buffer.from(value)]),
    )
  }

  destroy(): void {
    const { cache } = this.#deps
    unused.unregister(cache)
    cache.destroy()
  }

  /** Returns how many clients have received it. */
  async #publishClear(requestId: Buffer): Promise<number> {
    const { cache, requests, isLogged } = this.#deps
    const change = cache.beginChangeOfAll()
    const message = clearMessage(change.sender, requestId, true)
    try {
      const chance = chanceOfMark(isLogged)
      return await requests.ask(
        scripts.publish,
        { chance, channel: localCacheTopic(requests.key), message },
        { log: localCacheLog(requests.key) },
      )
    } catch (error) {
      cache.endUnknown(change)
      throw error
    }
  }
}
