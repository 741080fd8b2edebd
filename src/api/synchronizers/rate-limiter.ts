/** For whom a rate is meant: all clients together, or each of them for itself. */
export type RateMode = 'OVERALL' | 'PER_CLIENT'

/** What a rate limiter is set to. */
export interface RateConfig {
  /** For whom the rate is meant. */
  readonly mode: RateMode
  /** How many permits are granted within an interval. */
  readonly rate: number
  /** Milliseconds. */
  readonly intervalMs: number
  /** After how many milliseconds without a request Redis removes the limiter; 0 for never. */
  readonly keepAliveMs: number
}

/** How a rate shall be changed. */
export interface RateOptions {
  /**
   * After how many milliseconds without a request Redis removes the limiter; no less than the interval, or 0 for never.
   *
   * @defaultValue 0
   */
  readonly keepAliveMs?: number
  /**
   * Whether what was granted within the last interval counts against the new rate. It never does when the mode changes.
   *
   * @defaultValue false: the new rate begins with all its permits
   */
  readonly keepState?: boolean
}

/** How permits of a rate limiter shall be acquired. */
export interface RateAcquireOptions {
  /**
   * How many permits, all of them or none.
   *
   * @defaultValue 1
   */
  readonly permits?: number
  /** Ends the waiting. A permit that was granted meanwhile is given back. */
  readonly signal?: AbortSignal
}

/** How permits of a rate limiter shall be tried for. */
export interface TryRateAcquireOptions extends RateAcquireOptions {
  /**
   * Milliseconds to wait for the permits.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number
}

/** What came of asking a rate limiter once. */
export interface RateAttempt {
  /** Whether the permits were granted. */
  readonly allowed: boolean
  /** How many permits are left now. */
  readonly remaining: number
  /**
   * Milliseconds until there will be enough permits, if nobody else takes them; 0 if they were granted. What an HTTP server
   * would say in `Retry-After`.
   */
  readonly retryAfterMs: number
}

/**
 * A rate that all clients of the same servers share, in Node and in Java: so many permits in every interval.
 *
 * The interval slides: a permit is granted again when the interval has gone by since it was granted, by the server's clock.
 * Clients in Java bring their own clocks; where both use a limiter, the clocks of their hosts should agree.
 *
 * Nothing announces that a permit is free. Whoever waits in a process sleeps until there should be enough, at most five
 * seconds, and asks again; only the first who came asks, and the others stand in line behind.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be asked.
 */
export interface RRateLimiter {
  /** The name, as the program gave it. */
  readonly name: string

  /**
   * Sets the rate if there is none. Answers whether it did.
   *
   * @param intervalMs - milliseconds
   * @param keepAliveMs - see {@link RateOptions.keepAliveMs}
   */
  trySetRate(mode: RateMode, rate: number, intervalMs: number, keepAliveMs?: number): Promise<boolean>

  /** Sets the rate, whatever it was. */
  setRate(mode: RateMode, rate: number, intervalMs: number, options?: RateOptions): Promise<void>

  /** Sets the rate if there is one. Answers whether it did. */
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
   * Takes permits if there are as many, or will be in time. Answers whether they were granted.
   *
   * @param permits - see {@link RateAcquireOptions.permits}
   * @param waitMs - see {@link TryRateAcquireOptions.waitMs}
   * @throws {@link RateNotSetError} if there is no rate
   * @throws {@link RateTooLowError} if the rate is less than that
   */
  tryAcquire(permits?: number, waitMs?: number): Promise<boolean>
  /** Takes permits if there are as many, or will be in time. Answers whether they were granted. */
  tryAcquire(options: TryRateAcquireOptions): Promise<boolean>

  /**
   * Asks for permits once, and answers everything that Redis knows about it.
   *
   * @param permits - see {@link RateAcquireOptions.permits}
   * @throws {@link RateNotSetError} if there is no rate
   * @throws {@link RateTooLowError} if the rate is less than that
   */
  attempt(permits?: number): Promise<RateAttempt>

  /**
   * Gives permits back that were not used, up to the rate.
   *
   * @param permits - how many; 1 unless told otherwise
   * @throws {@link RateNotSetError} if there is no rate
   */
  release(permits?: number): Promise<void>

  /**
   * How many permits are left now.
   *
   * @throws {@link RateNotSetError} if there is no rate
   */
  availablePermits(): Promise<number>

  /** What the limiter is set to; null if it is not there. */
  getConfig(): Promise<RateConfig | null>

  /** Removes the limiter and what it knows of this client. Answers whether it was there. */
  delete(): Promise<boolean>
}
