import type { RCountDownLatch } from './count-down-latch/count-down-latch.api.js'
import type { GcraRateLimiterSettings, RGcraRateLimiter } from './gcra-rate-limiter/gcra-rate-limiter.api.js'
import type { RPermitExpirableSemaphore } from './permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RateLimiterSettings, RRateLimiter } from './rate-limiter/rate-limiter.api.js'
import type { RSemaphore, SemaphoreSettings } from './semaphore/semaphore.api.js'
import type { RWorkLimiter, WorkLimiterSettings } from './work-limiter/work-limiter.api.js'

export type * from './count-down-latch/count-down-latch.api.js'
export type * from './gcra-rate-limiter/gcra-rate-limiter.api.js'
export type * from './permit-expirable-semaphore/permit-expirable-semaphore.api.js'
export type * from './rate-limiter/rate-limiter.api.js'
export type * from './semaphore/semaphore.api.js'
export type * from './work-limiter/work-limiter.api.js'

/** The synchronizers that a client hands out. */
export interface SynchronizerObjects {
  /**
   * A number of permits without owners. Nothing is sent until it is used.
   *
   * @param settings - how many permits there shall be: see {@link SemaphoreSettings.permits}
   * @example
   * ```ts
   * const converters = client.getSemaphore('converters', { permits: 3 })
   * await converters.withPermit(() => convert(file))
   * ```
   */
  getSemaphore(name: string, settings?: SemaphoreSettings): RSemaphore

  /**
   * A number of permits that have ids, and may come back by themselves.
   *
   * @param settings - how many permits there shall be: see {@link SemaphoreSettings.permits}
   * @example
   * ```ts
   * const seats = client.getPermitExpirableSemaphore('seats', { permits: 3 })
   * await seats.withPermit(async ({ signal }) => serve(signal))
   * ```
   */
  getPermitExpirableSemaphore(name: string, settings?: SemaphoreSettings): RPermitExpirableSemaphore

  /** A count that many can wait for to reach zero. */
  getCountDownLatch(name: string): RCountDownLatch

  /**
   * Limits for each of many keys, such as users or addresses: see {@link RGcraRateLimiter}. Nothing is sent until it is used.
   *
   * @param settings - one limit or several, and what happens while Redis cannot be reached
   * @throws `TypeError` or `RangeError` for settings that are no limits
   * @example
   * ```ts
   * const limiter = client.getRateLimiter('api', { algorithm: 'gcra', limit: 100, perMs: 60_000, burst: 20 })
   * const { allowed, retryAfterMs } = await limiter.consume(user)
   * ```
   */
  getRateLimiter(name: string, settings: GcraRateLimiterSettings): RGcraRateLimiter
  /**
   * A number of permits in every interval of time. Nothing is sent until it is used.
   *
   * @param settings - which rate there shall be: see {@link RateLimiterSettings}
   * @throws `TypeError` or `RangeError` for settings that are no rate
   * @example
   * ```ts
   * const limiter = client.getRateLimiter(`user:${user}`, { rate: 5, intervalMs: 10_000, keepAliveMs: 60_000 })
   * if (!(await limiter.tryAcquire())) throw new Error('Too many requests')
   * ```
   */
  getRateLimiter(name: string, settings?: RateLimiterSettings): RRateLimiter

  /**
   * Runs functions of all processes within a concurrency and a rate, and queues those that have to wait: see {@link RWorkLimiter}. Nothing is sent
   * until it is used.
   *
   * @param settings - how many functions run at once, and how many begin in a time
   * @throws `TypeError` or `RangeError` for settings that are none
   * @example
   * ```ts
   * const limiter = client.getWorkLimiter('stripe', { concurrency: 10, rate: { limit: 100, perMs: 1_000 } })
   * await limiter.run(({ signal }) => fetch('https://example.com', { signal }))
   * ```
   */
  getWorkLimiter(name: string, settings: WorkLimiterSettings): RWorkLimiter
}
