/** How a permit shall be acquired. */
export interface PermitOptions {
  /**
   * Milliseconds until Redis takes the permit back by itself.
   *
   * @defaultValue none, and so for 0 or less: the permit is lent until it is given back
   */
  readonly leaseMs?: number
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal
}

/** How a permit shall be tried for. */
export interface TryPermitOptions extends PermitOptions {
  /**
   * Milliseconds to wait for the permit.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number
}

/** How a permit shall be acquired that this process looks after. */
export interface PermitHoldOptions {
  /**
   * Milliseconds until Redis takes the permit back by itself.
   *
   * @defaultValue none, and so for 0 or less: the watchdog renews the permit for as long as this process lives
   */
  readonly leaseMs?: number
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal
}

/** How a permit shall be tried for that this process looks after. */
export interface TryPermitHoldOptions extends PermitHoldOptions {
  /**
   * Milliseconds to wait for the permit.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number
}

/** How a function shall be run with a permit that can expire. */
export interface WithPermitHoldOptions extends PermitHoldOptions {
  /**
   * Milliseconds to wait for the permit, after which the call rejects with a {@link PermitTimeoutError}.
   *
   * @defaultValue none: as long as it takes
   */
  readonly waitMs?: number
}

/** A permit while it is lent to this process. Give it back with `release()` or `await using`. */
export interface PermitHold extends AsyncDisposable {
  /** The permit: 32 hexadecimal digits. Whoever knows them can give it back. */
  readonly id: string
  /** Whether this process may still be sure of the permit, by its own clock and by what Redis has said. */
  readonly isHeld: boolean
  /**
   * Aborts with a {@link PermitLostError} as soon as this process can no longer be sure of the permit, whether or not Redis
   * answers.
   */
  readonly signal: AbortSignal
  /**
   * Gives the permit back.
   *
   * @throws {@link PermitNotHeldError} if it was lost, or given back already
   */
  release(): Promise<void>
  /** Gives the permit back, unless that has been done. A lease that has ended meanwhile is no error. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A number of permits that all clients of the same servers share, in Node and in Java, and that come back by themselves.
 *
 * Every permit that is lent has an id, and may have a lease. When the lease ends, Redis counts the permit as free again,
 * whatever became of the process that had it. Leases are measured by the server's clock.
 *
 * Those who wait in one process are served in the order in which they came. They are woken by a message, or when the next
 * lease ends, and look again every five seconds in case a message got lost.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be asked.
 */
export interface RPermitExpirableSemaphore {
  /** The name, as the program gave it. */
  readonly name: string

  /**
   * Takes a permit, waiting as long as it takes. Answers its id.
   *
   * Nobody renews it: without a lease it is lost if the process dies. See {@link RPermitExpirableSemaphore.acquirePermit}.
   *
   * @param leaseMs - see {@link PermitOptions.leaseMs}
   * @throws {@link PermitLostError} if the lease was over before the answer came
   */
  acquire(leaseMs?: number): Promise<string>
  /** Takes a permit, waiting as long as it takes. Answers its id. */
  acquire(options: PermitOptions): Promise<string>

  /** Takes several permits, 100 000 at most, all of them or none, waiting as long as it takes. Answers their ids. */
  acquireMany(permits: number, options?: PermitOptions): Promise<string[]>

  /**
   * Takes a permit if one is free, or becomes free in time. Answers its id, or null.
   *
   * Without a time to wait it takes what is there, past those who wait.
   *
   * @param waitMs - see {@link TryPermitOptions.waitMs}
   * @param leaseMs - see {@link PermitOptions.leaseMs}
   */
  tryAcquire(waitMs?: number, leaseMs?: number): Promise<string | null>
  /** Takes a permit if one is free, or becomes free in time. Answers its id, or null. */
  tryAcquire(options: TryPermitOptions): Promise<string | null>

  /**
   * Takes several permits, 100 000 at most, all of them or none, if they are free, or become free in time. Answers their
   * ids, or null.
   */
  tryAcquireMany(permits: number, options?: TryPermitOptions): Promise<string[] | null>

  /** Takes a permit that this process looks after, waiting as long as it takes. */
  acquirePermit(options?: PermitHoldOptions): Promise<PermitHold>

  /** Takes a permit that this process looks after if one is free, or becomes free in time; answers null if not. */
  tryAcquirePermit(options?: TryPermitHoldOptions): Promise<PermitHold | null>

  /**
   * Gives permits back, all of them or none.
   *
   * @throws {@link PermitNotHeldError} if one of them is not lent, because it was given back or has expired
   */
  release(ids: string | readonly string[]): Promise<void>

  /** Gives permits back, all of them or none. Answers whether it did: false, if one of them is not lent. */
  tryRelease(ids: string | readonly string[]): Promise<boolean>

  /** How many permits are free; less than none, if there were too many when their number was lowered. */
  availablePermits(): Promise<number>

  /** How many permits are lent. */
  acquiredPermits(): Promise<number>

  /** How many permits there are, free or lent; 0 if the semaphore is not there. */
  getPermits(): Promise<number>

  /** Brings the semaphore into being with so many permits. Answers whether it did: false, if it was there already. */
  trySetPermits(permits: number): Promise<boolean>

  /** Has so many permits be there, free or lent. Those that are lent stay so, even if they are more. */
  setPermits(permits: number): Promise<void>

  /** Adds permits, or takes some away if the number is negative. */
  addPermits(permits: number): Promise<void>

  /** Has a lease end in so many milliseconds from now. Answers whether the permit is lent. */
  updateLeaseTime(id: string, leaseMs: number): Promise<boolean>

  /**
   * Milliseconds until a lease ends; -1 if never.
   *
   * @throws {@link PermitNotHeldError} if the permit is not lent
   */
  getLeaseTime(id: string): Promise<number>

  /** Removes the semaphore and every permit. Answers whether it was there. Whoever waits goes on waiting for permits. */
  delete(): Promise<boolean>

  /**
   * Runs a function with a permit that this process looks after, and gives it back when the function has settled.
   *
   * @returns what the function returns
   * @throws {@link PermitLostError} if the function succeeded, but the permit had been lost meanwhile
   * @throws {@link PermitTimeoutError} if {@link WithPermitHoldOptions.waitMs} went by
   */
  withPermit<T>(fn: (hold: PermitHold) => T | PromiseLike<T>, options?: WithPermitHoldOptions): Promise<T>
}
