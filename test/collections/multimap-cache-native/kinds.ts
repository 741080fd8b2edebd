import type {
  MultimapOptions,
  RBatch,
  RedissonClient,
  RListMultimapCacheNative,
  RSetMultimapCacheNative,
} from '../../../src/index.js'

/** A native multimap cache of either kind. */
export type AnyNative = RSetMultimapCacheNative<string, unknown> | RListMultimapCacheNative<string, unknown>

/** One of the two kinds of native multimap caches. */
export interface NativeKind {
  readonly what: 'set' | 'list'
  readonly of: (
    client: Pick<RedissonClient | RBatch, 'getSetMultimapCacheNative' | 'getListMultimapCacheNative'>,
    name: string,
    options?: MultimapOptions<string, unknown>,
  ) => AnyNative
}

export const nativeKinds: readonly NativeKind[] = [
  { what: 'set', of: (client, name, options) => client.getSetMultimapCacheNative(name, options) },
  { what: 'list', of: (client, name, options) => client.getListMultimapCacheNative(name, options) },
]
