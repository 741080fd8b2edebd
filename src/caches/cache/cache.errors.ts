import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** A value was not there, and was not loaded within the `hardTimeoutMs` of the call. The load goes on. */
export class CacheTimeoutError extends RedissonError {
  override readonly name = 'CacheTimeoutError'
  override readonly code = 'CACHE_TIMEOUT'
  /** The name of the cache. */
  readonly cache: string
  /** How long the call was ready to wait, in milliseconds. */
  readonly timeoutMs: number

  constructor(cache: string, timeoutMs: number, options?: RedissonErrorOptions) {
    super(`No value of cache ${cache} was loaded within ${String(timeoutMs)} ms`, options)
    this.cache = cache
    this.timeoutMs = timeoutMs
  }
}
