import { RedissonError } from '../../errors/redisson-error.js'

/** The Bloom filter has no settings: it was never initialized, or has been deleted or expired. See {@link RBloomFilter.tryInit}. */
export class FilterNotInitializedError extends RedissonError {
  override readonly name = 'FilterNotInitializedError'
  override readonly code = 'FILTER_NOT_INITIALIZED'
  /** The name of the filter, as the program gave it. */
  readonly object: string

  constructor(object: string) {
    super(`The Bloom filter ${object} is not initialized: tryInit() does that`)
    this.object = object
  }
}
