import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RBinaryStream } from './binary-stream/binary-stream.api.js'
import type { BitSetOptions, RBitSet } from './bit-set/bit-set.api.js'
import type { RBucket } from './bucket/bucket.api.js'
import type { RBuckets } from './buckets/buckets.api.js'

export type * from './binary-stream/binary-stream.api.js'
export type * from './bit-set/bit-set.api.js'
export type * from './bucket/bucket.api.js'
export type * from './buckets/buckets.api.js'

/** What is a single value of Redis, that a client hands out. */
export interface ValueObjects {
  /**
   * A value by its name. Nothing is sent until it is used, and nothing is kept of the bucket here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getBucket<V = unknown>(name: string, options?: ValueOptions<V>): RBucket<V>

  /** Values of several names at once. */
  getBuckets<V = unknown>(options?: ValueOptions<V>): RBuckets<V>

  /**
   * Bytes by their name, which are read and written in parts. Nothing is sent until they are used.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getBinaryStream(name: string, options?: ObjectOptions): RBinaryStream

  /**
   * Bits by their index, with `bigint` in their cells. Nothing is sent until they are used, and nothing is kept of the bit set here.
   *
   * @example
   * ```ts
   * const cells = client.getBitSet('cells', { bigint: true })
   * await cells.setLong(0, 2n ** 60n)
   * ```
   */
  getBitSet(name: string, options: BitSetOptions & { readonly bigint: true }): RBitSet<bigint>
  /**
   * Bits by their index. Nothing is sent until they are used, and nothing is kept of the bit set here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getBitSet(name: string, options?: BitSetOptions & { readonly bigint?: false | undefined }): RBitSet
}
