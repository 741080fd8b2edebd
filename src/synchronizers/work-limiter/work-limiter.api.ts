import type { GcraLimit } from '../gcra-rate-limiter/gcra-rate-limiter.api.js'

/** How many functions run at once, and how many begin in a time, in all processes together. */
export interface WorkLimiterSettings {
  /** How many places there are. Each running function takes as many as its {@link WorkOptions.weight}. At most 100 000. */
  readonly concurrency: number
  /**
   * How many functions may begin in a time: one limit, or several that all have to let a function begin. A function uses as many cells as its
   * weight. Several limits need different intervals, as those of {@link GcraLimits}.
   *
   * @defaultValue none: only the places limit
   */
  readonly rate?: GcraLimit | readonly GcraLimit[] | undefined
  /**
   * How many functions may wait in this client for this name, with those that Redis is asked for. A call beyond that rejects with a
   * {@link WorkQueueFullError}.
   *
   * @defaultValue any number
   */
  readonly maxQueued?: number | undefined
}

/** Options of a function. */
export interface WorkOptions {
  /**
   * Functions of a higher priority begin first, in all processes together, and those of the same in this process in the order of the calls. What is
   * reserved already, for 200 ms at most, begins before them.
   * From -1 000 to 1 000.
   *
   * @defaultValue 0
   */
  readonly priority?: number | undefined
  /**
   * How many places the function takes while it runs, and how many cells of each limit when it begins.
   *
   * @defaultValue 1
   */
  readonly weight?: number | undefined
  /**
   * How long the function may wait until it begins, in milliseconds, after which the call rejects with a {@link WorkTimeoutError}. It also
   * bounds the time to reach Redis. With 0, or less, it begins at once or not at all.
   *
   * @defaultValue as long as it takes
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting. Nothing is left behind then. Once the function runs, its own signal aborts with the same reason. */
  readonly signal?: AbortSignal | undefined
}

/** The first argument of a function. */
export interface Work {
  /**
   * Aborts with a {@link WorkLostError} when the place was lost, because then another function may begin in its place. It aborts with the
   * reason of the caller's signal as well.
   */
  readonly signal: AbortSignal
}

/** What a limiter does at a moment. */
export interface WorkCounts {
  /** How many places are taken, in all processes together: the weights of the functions that run. */
  readonly running: number
  /** How many processes wait for places or cells, or more, where one has several clients. */
  readonly waitingProcesses: number
  /** How many functions wait in this client. */
  readonly queued: number
}

/**
 * Runs functions of all processes within a concurrency and a rate. Those that have to wait are queued. It is this library's own, and not in
 * Redisson.
 *
 * A function begins when its places and its cells are free together: one script takes both, by the server's clock, or neither. At most
 * {@link WorkLimiterSettings.concurrency} places are taken at any time. In any `T` milliseconds, at most `burst + ceil(T × limit / perMs)` cells
 * are used by functions that begin: see {@link RGcraRateLimiter}. A cell whose time comes within 200 ms is reserved together with free places, and the
 * function begins at that time. If it gives up before, its places are free at once, and its cells too unless later ones of the same limit are reserved.
 *
 * A place is a hold. The watchdog renews it while the function runs, and it is free within its lease when the process dies: see
 * {@link CommonOptions.lockWatchdogTimeout}.
 *
 * The functions of a client wait in one queue, which is one waiter in Redis. Among queues of the same priority, turns go round: one that begins to
 * wait stands behind all others, and so does one of which a function has begun. In its turn, a queue takes its share: the places and cells divided
 * by the number of queues that wait, or what its first function needs. A queue keeps its place when its priority changes. No function
 * begins before one that stands before it, even if it would need less.
 * A queue that does not ask within a second after it was called loses its turn, and stands behind all others when it asks.
 * A queue whose process died holds up the others for six seconds at most after it could have had its turn.
 *
 * The settings are not stored: each request brings its own. All programs should have the same. Where they differ, each function begins
 * within the settings of its own process.
 *
 * When nothing runs, waits or is used, nothing is left in Redis, but for a key of {@link RWorkLimiter.reset} that expires. A limiter has none of the
 * methods of an object in Redis.
 *
 * Every method rejects with a {@link WrongTypeError} if its keys belong to something else, and with a {@link ConnectionLostError},
 * {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RWorkLimiter {
  /** The name of the limiter, as the program gave it. */
  readonly name: string

  /**
   * Runs a function as soon as it may begin. Returns what it returns, or throws what it throws; its place is given back in either case.
   *
   * A place that is lost while the function runs ends nothing but its signal: the call returns what the function returns. At its end, the call
   * waits for Redis to confirm that the place is free, at most {@link CommonOptions.releaseWaitMs}. That goes on in the background then.
   *
   * A function does not begin while replies take longer than a lease. The process warns of that once, with the code `REDISSON_SHORT_LEASE`.
   *
   * Costs one script to begin, and one to give the place back. A function that waits costs up to one message and one script more.
   *
   * @throws RangeError if the weight is more than the concurrency, or more than the burst of a limit
   * @throws {@link WorkTimeoutError} if the function could not begin within {@link WorkOptions.waitMs}
   * @throws {@link WorkQueueFullError} if too many wait already
   * @throws {@link SubscriptionTimeoutError} if it has to wait, and cannot subscribe to the channel at which it would be called
   * @throws {@link ClientClosedError} if the client is shut down before the function has begun
   */
  run<T>(fn: (work: Work) => T | PromiseLike<T>, options?: WorkOptions): Promise<T>

  /**
   * Returns a function that runs another one by {@link RWorkLimiter.run}, with the arguments of each call behind its {@link Work}.
   *
   * @example
   * ```ts
   * const charge = limiter.wrap(({ signal }, order: string) => fetch(`https://example.com/${order}`, { signal }))
   * await charge('order-7')
   * ```
   */
  wrap<A extends readonly unknown[], T>(
    fn: (work: Work, ...args: A) => T | PromiseLike<T>,
    options?: WorkOptions,
  ): (...args: A) => Promise<T>

  /** Returns how many places are taken, and how many wait. */
  counts(): Promise<WorkCounts>

  /**
   * Makes the whole burst of each limit available. Functions that run keep their places. What was used before is not given back any more.
   *
   * @returns whether anything was used
   */
  reset(): Promise<boolean>
}
