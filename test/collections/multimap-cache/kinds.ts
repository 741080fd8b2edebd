import type {
  MultimapOptions,
  RBatch,
  RedissonClient,
  RListMultimapCache,
  RSetMultimapCache,
} from '../../../src/index.js'

/** One of the two kinds of multimap caches. */
export interface MultimapCacheKind {
  readonly what: 'set' | 'list'
  readonly of: (
    client: Pick<RedissonClient | RBatch, 'getSetMultimapCache' | 'getListMultimapCache'>,
    name: string,
    options?: MultimapOptions<string, unknown>,
  ) => RSetMultimapCache<string, unknown> | RListMultimapCache<string, unknown>
}

export const cacheKinds: readonly MultimapCacheKind[] = [
  { what: 'set', of: (client, name, options) => client.getSetMultimapCache(name, options) },
  { what: 'list', of: (client, name, options) => client.getListMultimapCache(name, options) },
]
