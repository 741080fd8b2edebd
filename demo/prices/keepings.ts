import type { CacheStats, RedissonClient } from 'ioredisson'
import { CACHE, LOCAL_TTL_MS, TTL_MS, type Keeping } from './settings.js'

/** Says what an item costs: the version of its price. */
export type Prices = (item: string) => Promise<number>

/** A way to keep prices. */
interface Keeper {
  /** What a seller asks, in the place of the supplier. */
  open(client: RedissonClient, supplier: Prices): { readonly prices: Prices; readonly stats?: CacheStats }
  /** Says that a price has changed. */
  changed(client: RedissonClient, item: string): Promise<unknown>
}

export const keepings: Readonly<Record<Keeping, Keeper>> = {
  'own-caches': {
    open: (_, supplier) => ({ prices: inMemory(supplier) }),
    changed: () => Promise.resolve(), // there is no way to reach the memory of others
  },
  'one-cache': {
    open: (client, supplier) => {
      const cache = cacheOf(client)
      return {
        prices: (item) => cache.getOrLoad(item, () => supplier(item)),
        get stats() {
          return cache.stats
        },
      }
    },
    changed: (client, item) => cacheOf(client).delete(item),
  },
}

function cacheOf(client: RedissonClient) {
  const local = { maxEntries: 100, ttlMs: LOCAL_TTL_MS }
  return client.getCache<number>(CACHE, { ttlMs: TTL_MS, local })
}

/** What a team writes first: a map with times, and one call of the supplier for all that wait. */
function inMemory(supplier: Prices): Prices {
  const known = new Map<string, { readonly price: Promise<number>; readonly until: number }>()
  return (item) => {
    const found = known.get(item)
    if (found !== undefined && performance.now() < found.until) return found.price
    const price = supplier(item)
    known.set(item, { price, until: performance.now() + LOCAL_TTL_MS })
    return price
  }
}
