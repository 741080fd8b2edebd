import type { ObjectOptions } from '../../api/object-options.js'

/**
 * A number of requests in an interval.
 *
 * Everything is counted in whole numbers, so no rounding adds up. That bounds them:
 *
 * - An interval of up to an hour is counted in microseconds. `limit` is at most one for each microsecond, and `burst × perMs` at most
 *   9 × 10¹².
 * - A longer interval is counted in milliseconds. `limit` is at most one for each millisecond, and `burst × perMs` at most 9 × 10¹⁵.
 */
export interface GcraLimit {
  /** How many cells pass in the interval, spread evenly: each one is available again `perMs / limit` after it was used. */
  readonly limit: number
  /** How long the interval is, in whole milliseconds. */
  readonly perMs: number
  /**
   * How many cells may pass at once after a pause. With 1, requests are spaced evenly.
   *
   * @defaultValue `limit`
   */
  readonly burst?: number | undefined
}

/** A limit whose burst is known. */
export interface ResolvedGcraLimit extends GcraLimit {
  readonly burst: number
}

/** Limits by which a process counts while Redis cannot be reached. */
export interface GcraLocalLimits {
  /**
   * One or several: those of all processes divided by their number, for example. A request that costs more than such a burst is refused with a
   * `retryAfterMs` of one second, since only Redis may let it pass.
   */
  readonly local: GcraLimit | readonly GcraLimit[]
}

/** What `consume()` does while Redis cannot be reached. */
export type GcraFallback =
  /** It rejects, as all calls do. */
  | 'throw'
  /** Every request passes. */
  | 'allow'
  /** None does. */
  | 'deny'
  /** This process counts by itself. */
  | GcraLocalLimits

/** Several limits, each of which may refuse a request: all of them count it, or none does. Their intervals have to differ. */
export interface GcraLimits {
  /** At least one. */
  readonly limits: readonly GcraLimit[]
}

/** How a limiter behaves, whatever its limits are. */
export interface GcraOptions extends ObjectOptions {
  /** Selects this kind of limiter. Without it, the client returns an {@link RRateLimiter}. */
  readonly algorithm: 'gcra'
  /**
   * What `consume()` does while Redis cannot be reached. The process warns once for each limiter, with the code `REDISSON_LIMITER_DEGRADED`.
   *
   * @defaultValue `'throw'`
   */
  readonly onRedisDown?: GcraFallback | undefined
  /**
   * For how long `consume()` waits for Redis, in milliseconds. After a first call without a reply, calls do not wait for a connection
   * that is known to be broken, until one has a reply again. With `onRedisDown: 'throw'` this is a time limit alone.
   *
   * @defaultValue 500; with `'throw'` the `timeout` and the retries of the client
   */
  readonly redisTimeoutMs?: number | undefined
  /**
   * Whether `consume()` is sent again when its reply is lost, and counts once. That costs two commands more for each call. `acquire()` and
   * `refund()` do so in any case.
   *
   * @defaultValue false: the call rejects, or does what `onRedisDown` says. Redis may have counted it
   */
  readonly exactlyOnce?: boolean | undefined
}

/** One limit or several, and how the limiter behaves. */
export type GcraRateLimiterSettings = GcraOptions & (GcraLimit | GcraLimits)

/** Options of a request. */
export interface GcraConsumeOptions {
  /**
   * How many cells the request uses: all of them or none.
   *
   * @defaultValue 1
   */
  readonly cost?: number | undefined
}

/** Options of a request that waits. */
export interface GcraAcquireOptions extends GcraConsumeOptions {
  /**
   * Milliseconds to wait for the turn. If it comes later, the call resolves at once and reserves nothing. It also bounds the time to
   * reach Redis.
   *
   * @defaultValue as long as it takes; 0, or less, for one attempt
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting. The turn is given back. */
  readonly signal?: AbortSignal | undefined
}

/** What one limit says. */
export interface GcraLimitState extends ResolvedGcraLimit {
  /** How many of its cells are left. */
  readonly remaining: number
  /** Milliseconds until none of its cells is used any more. */
  readonly resetAfterMs: number
}

/** What a limiter says of a request. */
export interface GcraResult {
  /** Whether the request passes. */
  readonly allowed: boolean
  /** How many cells are left now; of several limits, of the one that has the fewest. */
  readonly remaining: number
  /**
   * Milliseconds until the request would pass, if no other used any; of several limits, the longest. 0 if it passes. What an HTTP
   * server would say in `Retry-After`.
   */
  readonly retryAfterMs: number
  /** Milliseconds until no cell is used any more, and the whole burst is available. */
  readonly resetAfterMs: number
  /** The limit that refuses the request; of several, the one that does so for the longest. Undefined if it passes. */
  readonly refusedBy: ResolvedGcraLimit | undefined
  /**
   * What each limit says, in the order of the settings; a single limit is the only one. HTTP headers are made of it. With `degraded`, those
   * are the `local` limits if there are any; otherwise nothing is known, and both numbers are 0.
   */
  readonly limits: readonly GcraLimitState[]
  /** Whether Redis was not asked, because it could not be reached: see {@link GcraOptions.onRedisDown}. */
  readonly degraded: boolean
}

/**
 * A limit for each of many keys, such as users or addresses, which all processes share. It is this library's own, and not in Redisson.
 *
 * The algorithm is the generic cell rate algorithm (ITU-T Recommendation I.371, in its form as a continuous-state leaky bucket), by the
 * server's clock. A cell is one unit of cost. In any `T` milliseconds, at most `burst + ceil(T × limit / perMs)` cells pass.
 *
 * Each key is one small text in Redis, which expires when nothing of it is used: there is nothing to clean. A call is one script on
 * it. In a cluster, the keys of a limiter are spread over the nodes, unless its name has a hash tag.
 *
 * The limits are not stored: each call brings its own. All programs should have the same. A changed `limit` or `burst` keeps what was
 * used; an interval that is new begins with all of its burst.
 *
 * If the server's clock goes back, what was used stays used, and drains from then on. If it goes forward, or a failover loses the last
 * changes, at most one more burst passes.
 *
 * A limiter is not an object of Redis with a key of its own, so it has none of their methods: {@link RGcraRateLimiter.reset | reset()}
 * removes one key.
 *
 * Every method rejects with a {@link WrongTypeError} if the key in Redis belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RGcraRateLimiter {
  /** The name of the limiter, as the program gave it. */
  readonly name: string

  /**
   * Counts a request, or refuses it. A refusal uses nothing.
   *
   * @param key - whose request it is
   * @throws RangeError if the cost is more than a burst, so that the request would never pass
   */
  consume(key: string, options?: GcraConsumeOptions): Promise<GcraResult>

  /**
   * Waits until the request passes. Returns what `consume()` returns; `allowed` is false if it would have to wait longer than
   * `waitMs`. It is false without `waitMs` too, if more cells are reserved than a whole number counts exactly. That is possible only with
   * a burst near the largest one: see {@link GcraLimit}.
   *
   * One request reserves a turn, and the call resolves when that has come. Turns are in the order of the requests at Redis, for
   * all processes together, so no caller starves. While callers wait for a key, its `consume()` refuses: their cells are taken.
   *
   * If the signal aborts or the client is shut down, the turn is given back: the next caller gets it for whom it is in time. Callers who wait
   * already keep their turns. The turn of a process that dies passes unused.
   *
   * @param key - whose request it is
   * @throws RangeError if the cost is more than a burst
   */
  acquire(key: string, options?: GcraAcquireOptions): Promise<GcraResult>

  /**
   * Returns whether a request would pass now, and uses nothing. `remaining` and `resetAfterMs` are those before the request.
   *
   * @param key - whose request it would be
   * @throws RangeError if the cost is more than a burst
   */
  peek(key: string, options?: GcraConsumeOptions): Promise<GcraResult>

  /**
   * Gives back what a request has used, as far as anything is used: never more than the burst is available. Other requests may pass at once
   * then, also where a part of it had drained already.
   *
   * @param key - whose request it was
   * @throws RangeError if the cost is more than a burst
   */
  refund(key: string, options?: GcraConsumeOptions): Promise<GcraResult>

  /**
   * Makes the whole burst of a key available. Callers who wait for it keep their turns.
   *
   * @param key - whose requests shall be forgotten
   * @returns whether anything was used
   */
  reset(key: string): Promise<boolean>
}
