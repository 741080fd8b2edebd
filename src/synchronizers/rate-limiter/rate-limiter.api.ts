import type { RExpirable } from '../../api/object.js'

/** The scope of a rate: all clients together, or each of them by itself. */
export type RateMode = 'OVERALL' | 'PER_CLIENT'

/**
 * A rate that a program brings. A request for permits sets it where the limiter is not there: never set before, or gone. It is set and used in one
 * step and one request. No other call sets it. A limiter that is there stays as it is, also with another rate: {@link RRateLimiter.setRate} changes it.
 */
export interface RateLimiterSettings {
  /**
   * For whom the rate is.
   *
   * @defaultValue `'OVERALL'`
   */
  readonly mode?: RateMode | undefined
  /** How many permits there are in an interval; together with `intervalMs`. */
  readonly rate?: number | undefined
  /** How long an interval is, in milliseconds; together with `rate`. */
  readonly intervalMs?: number | undefined
  /**
   * After how many milliseconds without a request the limiter is removed, at least the interval. A limiter for each user or address should have
   * one, or its keys stay for ever.
   *
   * @defaultValue 0: it stays
   */
  readonly keepAliveMs?: number | undefined
}

/** The settings of a rate limiter. */
export interface RateConfig {
  /** The scope of the rate. */
  readonly mode: RateMode
  /** How many permits are granted within an interval. */
  readonly rate: number
  /** Milliseconds. */
  readonly intervalMs: number
  /** After how many milliseconds without a request Redis removes the limiter; 0 for never. */
  readonly keepAliveMs: number
}

/** Options to change a rate. */
export interface RateOptions {
  /**
   * After how many milliseconds without a request Redis removes the limiter; no less than the interval, or 0 for never.
   *
   * @defaultValue 0
   */
  readonly keepAliveMs?: number | undefined
  /**
   * Whether what was granted within the last interval counts against the new rate. It never does when the mode changes. With
   * `PER_CLIENT` this is about the client that sets the rate. What others were granted counts for them in any case, for the interval
   * with which it was granted.
   *
   * @defaultValue false: the new rate begins with all its permits
   */
  readonly keepState?: boolean | undefined
}

/** Options to acquire permits of a rate limiter. */
export interface RateAcquireOptions {
  /**
   * How many permits, all of them or none.
   *
   * @defaultValue 1
   */
  readonly permits?: number | undefined
  /** Ends the waiting. A permit that was granted meanwhile is released. */
  readonly signal?: AbortSignal | undefined
}

/** Options to try to acquire permits of a rate limiter. */
export interface TryRateAcquireOptions extends RateAcquireOptions {
  /**
   * Milliseconds to wait for the permits.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number | undefined
}

/** The result of one attempt at a rate limiter. */
export interface RateAttempt {
  /** Whether the permits were granted. */
  readonly allowed: boolean
  /** How many permits are left now. */
  readonly remaining: number
  /**
   * Milliseconds until there will be enough permits, if no other caller takes them; 0 if they were granted. What an HTTP server
   * would say in `Retry-After`.
   */
  readonly retryAfterMs: number
}

/**
 * A rate that all clients of the same servers share, in Node and in Java: a number of permits in every interval.
 *
 * The interval slides: a permit is granted again when the interval since it was granted is over, by the server's clock.
 * Clients in Java use their own clocks; where both use a limiter, the clocks of their hosts should agree.
 *
 * No message says that a permit is free. A waiter sleeps until there should be enough, at most five seconds,
 * and tries again. Only the first waiter sends requests. The others queue behind it, even if they want fewer
 * permits than are left.
 *
 * A limiter with a {@link RateOptions.keepAliveMs | keep-alive time} expires that long after each request,
 * even if {@link RExpirable.expire} has set another time. {@link RObject.rename}, {@link RObject.copy} and
 * the other methods of all objects do not affect the grants of other clients (`PER_CLIENT`). A grant ends by
 * itself after one interval.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RRateLimiter extends RExpirable {
  /**
   * Sets the rate if there is none. Returns whether it did.
   *
   * @param intervalMs - milliseconds
   * @param keepAliveMs - see {@link RateOptions.keepAliveMs}
   */
  trySetRate(mode: RateMode, rate: number, intervalMs: number, keepAliveMs?: number): Promise<boolean>

  /** Sets the rate, or replaces it. */
  setRate(mode: RateMode, rate: number, intervalMs: number, options?: RateOptions): Promise<void>

  /** Sets the rate if there is one. Returns whether it did. */
  updateRate(mode: RateMode, rate: number, intervalMs: number, options?: RateOptions): Promise<boolean>

  /**
   * Takes permits, waiting as long as it takes.
   *
   * @param permits - see {@link RateAcquireOptions.permits}
   * @throws {@link RateNotSetError} if there is no rate
   * @throws {@link RateTooLowError} if the rate is less than that
   */
  acquire(permits?: number): Promise<void>
  /** Takes permits, waiting as long as it takes. */
  acquire(options: RateAcquireOptions): Promise<void>

  /**
   * Takes permits if there are as many, or will be in time. Returns whether they were granted.
   *
   * @param permits - see {@link RateAcquireOptions.permits}
   * @param waitMs - see {@link TryRateAcquireOptions.waitMs}
   * @throws {@link RateNotSetError} if there is no rate
   * @throws {@link RateTooLowError} if the rate is less than that
   */
  tryAcquire(permits?: number, waitMs?: number): Promise<boolean>
  /** Takes permits if there are as many, or will be in time. Returns whether they were granted. */
  tryAcquire(options: TryRateAcquireOptions): Promise<boolean>

  /**
   * Tries once to get permits, and returns all that Redis knows about it.
   *
   * @param permits - see {@link RateAcquireOptions.permits}
   * @throws {@link RateNotSetError} if there is no rate
   * @throws {@link RateTooLowError} if the rate is less than that
   */
  attempt(permits?: number): Promise<RateAttempt>
  /** Tries once to get permits, and returns all that Redis knows about it. Rejects as soon as the `signal` aborts. */
  attempt(options: RateAcquireOptions): Promise<RateAttempt>

  /**
   * Gives permits back that were not used, up to the rate. The oldest grants of the last interval are cancelled for that, so that
   * nothing comes back a second time when they would have ended.
   *
   * @param permits - how many; 1 by default
   * @throws {@link RateNotSetError} if there is no rate
   */
  release(permits?: number): Promise<void>

  /**
   * Returns how many permits are left now.
   *
   * @throws {@link RateNotSetError} if there is no rate
   */
  availablePermits(): Promise<number>

  /** Returns the settings of the limiter; undefined if it does not exist. */
  getConfig(): Promise<RateConfig | undefined>

  /**
   * Removes the limiter, and what was granted to all clients together or to this one. What was granted to each of the others
   * (`PER_CLIENT`) counts against a new rate until it is one interval old. Returns whether the limiter was there.
   */
  delete(): Promise<boolean>
}
