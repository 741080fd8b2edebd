/** How permits of a semaphore shall be acquired. */
export interface SemaphoreOptions {
  /**
   * How many permits, all of them or none.
   *
   * @defaultValue 1
   */
  readonly permits?: number
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal
}

/** How permits of a semaphore shall be tried for. */
export interface TrySemaphoreOptions extends SemaphoreOptions {
  /**
   * Milliseconds to wait for the permits.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number
}

/** How a function shall be run with permits of a semaphore. */
export interface WithPermitOptions extends SemaphoreOptions {
  /**
   * Milliseconds to wait for the permits, after which the call rejects with a {@link PermitTimeoutError}.
   *
   * @defaultValue none: as long as it takes
   */
  readonly waitMs?: number
}

/**
 * A number of permits that all clients of the same servers share, in Node and in Java.
 *
 * Nobody owns a permit. Whoever has one may give it back, and so may anybody else; the permit of a process that dies is
 * lost until somebody adds one. Where that matters, use an {@link RPermitExpirableSemaphore}.
 *
 * Those who wait in one process are served in the order in which they came, so that who wants many permits is not overtaken
 * by those who want few. Between processes there is no order. Whoever waits is woken by a message, and looks again every
 * five seconds in case a message got lost.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be asked.
 */
export interface RSemaphore {
  /** The name, as the program gave it. */
  readonly name: string

  /**
   * Takes permits, waiting as long as it takes. What a request takes whose answer gets lost is given back.
   *
   * @param permits - see {@link SemaphoreOptions.permits}; 0 asks for nothing and is granted at once
   */
  acquire(permits?: number): Promise<void>
  /** Takes permits, waiting as long as it takes. */
  acquire(options: SemaphoreOptions): Promise<void>

  /**
   * Takes permits if there are as many, or become as many in time. Answers whether they were taken.
   *
   * Without a time to wait it takes what is there, past those who wait.
   *
   * @param permits - see {@link SemaphoreOptions.permits}
   * @param waitMs - see {@link TrySemaphoreOptions.waitMs}
   */
  tryAcquire(permits?: number, waitMs?: number): Promise<boolean>
  /** Takes permits if there are as many, or become as many in time. Answers whether they were taken. */
  tryAcquire(options: TrySemaphoreOptions): Promise<boolean>

  /**
   * Gives permits back, or adds them: the semaphore has no upper limit, and comes into being if it was not there.
   *
   * When it rejects because Redis could not be asked, the permits may or may not have been given back.
   *
   * @param permits - how many; 1 unless told otherwise
   */
  release(permits?: number): Promise<void>

  /** Gives permits back if the semaphore is there, and answers whether it is. For 0 permits the answer is no. */
  releaseIfExists(permits?: number): Promise<boolean>

  /**
   * Brings the semaphore into being with so many permits. Answers whether it did: false, if it was there already.
   *
   * @param ttlMs - milliseconds after which Redis removes the semaphore; never, unless told otherwise
   */
  trySetPermits(permits: number, ttlMs?: number): Promise<boolean>

  /**
   * Adds permits, or takes some away if the number is negative. There may be less than none afterwards; then nobody gets
   * any until enough have been given back.
   */
  addPermits(permits: number): Promise<void>

  /** Takes all permits that are there, and answers how many. If there were less than none, none is there afterwards. */
  drainPermits(): Promise<number>

  /** How many permits are there; 0 if the semaphore is not. */
  availablePermits(): Promise<number>

  /** Removes the semaphore. Answers whether it was there. Whoever waits goes on waiting for permits. */
  delete(): Promise<boolean>

  /**
   * Runs a function with permits, and gives them back when it has settled.
   *
   * @returns what the function returns
   * @throws {@link PermitTimeoutError} if {@link WithPermitOptions.waitMs} went by
   */
  withPermit<T>(fn: () => T | PromiseLike<T>, options?: WithPermitOptions): Promise<T>
}
