/** How the runs of a name are marked. */
export interface OnceSettings {
  /**
   * How long a run excludes every other run of the same {@link OnceOptions.fire | fire}, in milliseconds,
   * counted from its beginning. Choose more than the last process can be late, and more than the function
   * takes. After that time another call may run the same fire while the function still runs, unless `retry`
   * is `'onCrash'` or `'both'`.
   */
  readonly ttlMs: number
}

/** What lets a function run again that has begun and not come to its end. */
export type OnceRetry =
  /** An error: the mark is removed when the function throws, and another call may run it. */
  | 'onError'
  /**
   * The death of the process. Until the function ends, its mark lasts only as long as the watchdog renews it,
   * by default 30 seconds. Then another call may run it.
   */
  | 'onCrash'
  /** Either of them. */
  | 'both'

/** Options of a run. */
export interface OnceOptions {
  /**
   * What the run is for: the scheduled time, not the present one. Every process has to name the same. A `Date` is the same as its
   * milliseconds since 1970; a text is taken as it is.
   *
   * @defaultValue none: the function runs once in {@link OnceSettings.ttlMs}
   */
  readonly fire?: Date | number | string | undefined
  /**
   * What lets the function run again, by another call: nothing runs it by itself.
   *
   * @defaultValue none: the mark stays, even if the function fails
   */
  readonly retry?: OnceRetry | undefined
  /** Ends the request, and no mark is left then. Once the function runs, its own signal aborts. */
  readonly signal?: AbortSignal | undefined
}

/** The argument of the function. */
export interface OnceRun {
  /**
   * Aborts with the reason of the caller's signal. It aborts with a {@link MarkLostError} when a renewed mark
   * was lost, because then another process may run the same fire, and at a shutdown.
   */
  readonly signal: AbortSignal
}

/** Whether the function was run by this call, and what it returned. */
export type OnceResult<T> =
  | {
      /** This call has run it. */
      readonly ran: true
      /** What the function returned. */
      readonly value: T
    }
  | {
      /** Another call has run it, or is running it: there is a mark. */
      readonly ran: false
    }

/** Runs functions once among all processes, such as the jobs of a schedule that every process has. */
export interface Once {
  /** The name, as the program gave it. */
  readonly name: string

  /**
   * Runs a function, unless a call of any process has run one for the same fire, or is running it. It does
   * not wait for that call.
   *
   * The processes' clocks do not matter: the first call marks the fire in Redis, and the mark stays after the function has ended.
   * Costs one request, and one more at the end where `retry` needs it.
   *
   * @returns the value of the function, or that it did not run
   * @throws what the function throws
   * @throws {@link MarkLostError} if the function ran to its end, and its renewed mark was lost before. Or if
   * Redis took longer than `ttlMs` to reply, in all attempts; then the function did not run
   * @throws {@link WrongTypeError} if the key of the mark belongs to an object of another kind; a string of
   * another program there counts as a mark
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis
   * cannot be reached before the function: then it does not run, and its mark is removed. After the function,
   * the call may need one more request for `retry`. It waits for that at most
   * {@link CommonOptions.releaseWaitMs}. Then it returns the result, and the client emits
   * {@link RedissonEvents.releaseDelayed}
   * @throws TypeError or RangeError for options that do not exist or make no sense
   * @example
   * ```ts
   * const nightly = client.getOnce('nightly-report', { ttlMs: 3_600_000 })
   * cron.schedule('0 3 * * *', ({ date }) => nightly.run(({ signal }) => report(signal), { fire: date }))
   * ```
   */
  run<T>(fn: (run: OnceRun) => T | PromiseLike<T>, options?: OnceOptions): Promise<OnceResult<T>>
}
