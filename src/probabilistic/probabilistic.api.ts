import type { ValueOptions } from '../api/object-options.js'
import type { RBloomFilter } from './bloom-filter/bloom-filter.api.js'
import type { RHyperLogLog } from './hyper-log-log/hyper-log-log.api.js'

export type * from './bloom-filter/bloom-filter.api.js'
export type * from './hyper-log-log/hyper-log-log.api.js'

/** The probabilistic objects that a client hands out: what they say is true with some probability. */
export interface ProbabilisticObjects {
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
