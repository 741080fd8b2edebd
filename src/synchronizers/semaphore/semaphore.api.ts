import type { RDumpable, RExpirable } from '../../api/object.js'

/** Settings of a semaphore of either kind. */
export interface SemaphoreSettings {
  /**
   * How many permits a request to acquire some sets, where the semaphore is not there: never set before, or gone. No other call
   * sets them. An existing semaphore stays as it is, with any number of permits.
   *
   * The process warns once, with the code `REDISSON_PERMITS_DIFFER`, where others are there. Of permits that can expire their
   * number is known. Of an {@link RSemaphore} Redis knows only how many are free, so there it warns only where more are free than
   * these.
   *
   * @defaultValue none: the semaphore has the permits that {@link RSemaphore.trySetPermits} sets
   */
  readonly permits?: number | undefined
}

/** Options to acquire permits of a semaphore. */
export interface SemaphoreOptions {
  /**
   * How many permits, all of them or none.
   *
   * @defaultValue 1
   */
  readonly permits?: number | undefined
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal | undefined
}

/** Options to try to acquire permits of a semaphore. */
export interface TrySemaphoreOptions extends SemaphoreOptions {
  /**
   * Milliseconds to wait for the permits.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number | undefined
}

/** Options to run a function with permits of a semaphore. */
export interface WithPermitOptions extends SemaphoreOptions {
  /**
   * Milliseconds to wait for the permits, after which the call rejects with a {@link PermitTimeoutError}.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue none: as long as it takes; 0, or less, for one attempt
   */
  readonly waitMs?: number | undefined
  /**
   * How long the call waits for the release, once the function has come to its end, in milliseconds. Then it settles as the function has,
   * and the release continues in the background. The client emits {@link RedissonEvents.releaseDelayed}.
   *
   * @defaultValue what the client says: {@link CommonOptions.releaseWaitMs}, 1000
   */
  readonly releaseWaitMs?: number | undefined
}

/**
 * A number of permits that all clients of the same servers share, in Node and in Java.
 *
 * A permit has no owner. Any process may release it. The permit of a process that dies is lost until a
 * program adds one. If that matters, use an {@link RPermitExpirableSemaphore}.
 *
 * The waiters in one process are served in the order of their calls, so later calls for few permits do not
 * overtake a waiter for many. Only a refused caller waits. Of two calls at the same moment, the second may be
 * served first if there are enough permits for it alone. Between processes there is no order. A message wakes
 * a waiter, and it checks again every five seconds in case a message got lost.
 *
 * If the semaphore was never set, or its key is gone, there are no permits to wait for. The process warns
 * about such a wait once, with the code `REDISSON_SEMAPHORE_NOT_SET`. See {@link SemaphoreSettings.permits}.
 *
 * After {@link RObject.rename} permits that are held are released under the name by which they were taken.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RSemaphore extends RExpirable, RDumpable {
  /**
   * Takes permits, waiting as long as it takes. What a request takes whose reply is lost is released.
   *
   * @param permits - see {@link SemaphoreOptions.permits}; 0 takes nothing and is granted at once
   */
  acquire(permits?: number): Promise<void>
  /** Takes permits, waiting as long as it takes. */
  acquire(options: SemaphoreOptions): Promise<void>

  /**
   * Takes permits if there are as many, or become as many in time. Returns whether they were taken.
   *
   * Without a time to wait it takes what is available, past the waiters.
   *
   * @param permits - see {@link SemaphoreOptions.permits}
   * @param waitMs - see {@link TrySemaphoreOptions.waitMs}
   */
  tryAcquire(permits?: number, waitMs?: number): Promise<boolean>
  /** Takes permits if there are as many, or become as many in time. Returns whether they were taken. */
  tryAcquire(options: TrySemaphoreOptions): Promise<boolean>

  /**
   * Gives permits back, or adds them: the semaphore has no upper limit, and comes into being if it was not there.
   *
   * When it rejects because Redis could not be reached, the permits may or may not have been released.
   *
   * @param permits - how many; 1 by default
   */
  release(permits?: number): Promise<void>

  /** Releases permits if the semaphore exists, and returns whether it does. For 0 permits it returns false. */
  releaseIfExists(permits?: number): Promise<boolean>

  /**
   * Creates the semaphore with that number of permits. Returns whether it did: false if it exists already.
   *
   * @param ttlMs - milliseconds after which Redis removes the semaphore; never by default
   */
  trySetPermits(permits: number, ttlMs?: number): Promise<boolean>

  /**
   * Adds permits, or takes some away if the number is negative. The number may be negative afterwards; then no caller
   * gets any until enough have been released.
   */
  addPermits(permits: number): Promise<void>

  /**
   * Takes all available permits, and returns how many. If the number was negative, it is 0 afterwards.
   *
   * @throws {@link ClientClosedError} if the client is being shut down
   */
  drainPermits(): Promise<number>

  /** Returns how many permits are there; 0 if the semaphore is not. */
  availablePermits(): Promise<number>

  /** Removes the semaphore. Returns whether it was there. Waiters go on waiting for permits. */
  delete(): Promise<boolean>

  /**
   * Runs a function with permits, and releases them when it has settled.
   *
   * What the function has done is not undone by a release that fails: the call settles as the function has, at the latest
   * {@link WithPermitOptions.releaseWaitMs} afterwards. The permits are released once in any case: that is tried in the background for ten
   * minutes. They are lost if the process dies, and if the client is shut down while the function runs, unless
   * {@link ShutdownOptions.release} is set.
   *
   * @returns what the function returns
   * @throws {@link PermitTimeoutError} if {@link WithPermitOptions.waitMs} went by
   */
  withPermit<T>(fn: () => T | PromiseLike<T>, options?: WithPermitOptions): Promise<T>
}
