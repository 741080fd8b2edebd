import type { ObjectOptions, ValueOptions } from '../object-options.js'
import type { RBinaryStream } from './binary-stream.js'
import type { RBloomFilter } from './bloom-filter.js'
import type { RBucket } from './bucket.js'
import type { RBuckets } from './buckets.js'
import type { RHyperLogLog } from './hyper-log-log.js'

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

  /** An estimate of how many different values there were, by its name. Nothing is sent until it is used. See `getBucket()`. */
  getHyperLogLog<V = unknown>(name: string, options?: ValueOptions<V>): RHyperLogLog<V>

  /**
   * A Bloom filter by its name. Nothing is sent until it is used, and nothing is kept of the filter here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getBloomFilter<V = unknown>(name: string, options?: ValueOptions<V>): RBloomFilter<V>
}
