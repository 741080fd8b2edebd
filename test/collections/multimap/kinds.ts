import type {
  MultimapOptions,
  RedissonClient,
  RListMultimap,
  RListMultimapValues,
  RMultimap,
  RSetMultimap,
  RSetMultimapValues,
} from '../../../src/index.js'

/** The values of one key, of either kind. */
export type AnyValues<V> = RSetMultimapValues<V> | RListMultimapValues<V>

/** A multimap of either kind. */
export type AnyMultimap<K = string, V = unknown> = RMultimap<K, V, AnyValues<V>>

/** One of the two kinds of multimaps. */
export interface MultimapKind {
  readonly what: 'set' | 'list'
  readonly of: (
    client: Pick<RedissonClient, 'getSetMultimap' | 'getListMultimap'>,
    name: string,
    options?: MultimapOptions<string, unknown>,
  ) => RSetMultimap<string, unknown> | RListMultimap<string, unknown>
}

export const kinds: readonly MultimapKind[] = [
  { what: 'set', of: (client, name, options) => client.getSetMultimap(name, options) },
  { what: 'list', of: (client, name, options) => client.getListMultimap(name, options) },
]

/** Values in an order that is the same for both kinds. */
export const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).toSorted()
