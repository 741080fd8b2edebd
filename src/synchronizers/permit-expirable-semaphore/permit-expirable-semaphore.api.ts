import type { RExpirable } from '../../api/object.js'

/** Options to acquire a permit. */
export interface PermitOptions {
  /**
   * Milliseconds until Redis takes the permit back by itself.
   *
   * @defaultValue none, and so for 0 or less: the permit is lent until it is released
   */
  readonly leaseMs?: number | undefined
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal | undefined
}

/** Options to try to acquire a permit. */
export interface TryPermitOptions extends PermitOptions {
  /**
   * Milliseconds to wait for the permit.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number | undefined
}

/** Options to acquire a permit with a hold. */
export interface PermitHoldOptions {
  /**
   * Milliseconds until Redis takes the permit back by itself.
   *
   * @defaultValue none, and so for 0 or less: the watchdog renews the permit for as long as this process lives
   */
  readonly leaseMs?: number | undefined
  /** Ends the waiting. Nothing is left behind: no permit, no subscription. */
  readonly signal?: AbortSignal | undefined
}

/** Options to try to acquire a permit with a hold. */
export interface TryPermitHoldOptions extends PermitHoldOptions {
  /**
   * Milliseconds to wait for the permit.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number | undefined
}

/** Options to run a function with a permit that can expire. */
export interface WithPermitHoldOptions extends PermitHoldOptions {
  /**
   * Milliseconds to wait for the permit, after which the call rejects with a {@link PermitTimeoutError}.
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

/** A permit while it is lent to this process. Release it with `release()` or `await using`. */
export interface PermitHold extends AsyncDisposable {
  /** The permit: 32 hexadecimal digits. Any process that knows them can release it. */
  readonly id: string
  /** Whether this process may still be sure of the permit, by its own clock and by what Redis has said. */
  readonly isHeld: boolean
  /**
   * Aborts with a {@link PermitLostError} as soon as this process can no longer be sure of the permit, whether or not Redis
   * answers.
   */
  readonly signal: AbortSignal
  /**
   * Makes the lease last at least that long from now on; it is never made shorter. Costs one request.
   *
   * @param leaseMs - milliseconds, more than 0; without it the watchdog renews the permit from now on
   * @throws RangeError for 0 or less, and for what is no number
   * @throws {@link PermitLostError} if the permit was lost
   * @throws {@link PermitNotHeldError} if it was released
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached; the
   * hold lasts as long as it would have
   * @example
   * ```ts
   * await using hold = await client.getPermitExpirableSemaphore('printers').acquirePermit({ leaseMs: 60_000 })
   * for (const page of pages) {
   *   await hold.extend(60_000)
   *   await print(page)
   * }
   * ```
   */
  extend(leaseMs?: number): Promise<void>
  /**
   * Gives the permit back, also in Redis where it was lost by this process's clock alone.
   *
   * @throws {@link PermitNotHeldError} if it was lost, or released already
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached; the
   * permit is released in the background then, as soon as Redis can be reached
   */
  release(): Promise<void>
  /**
   * Releases the permit, unless it was released already. It does not reject if the lease has ended, or if
   * Redis cannot be reached. After {@link CommonOptions.releaseWaitMs} the release continues in the
   * background, and the client emits {@link RedissonEvents.releaseDelayed}.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A number of permits that all clients of the same servers share, in Node and in Java, and that come back by themselves.
 *
 * Every permit that is lent has an id, and may have a lease. When the lease ends, Redis counts the permit as free again,
 * even if its process has died. Leases are measured by the server's clock.
 *
 * The waiters in one process are served in the order of their calls. They are woken by a message, or when the next
 * lease ends, and check again every five seconds in case a message got lost.
 *
 * Where the semaphore was never set, or its key has gone, there are no permits to wait for. The process warns of such a waiting
 * once, with the code `REDISSON_SEMAPHORE_NOT_SET`. See {@link SemaphoreSettings.permits}.
 *
 * After {@link RObject.rename} the permits are lent under the new name, by the same ids. The holds of the client that renames are lost at
 * once, those of others when they are renewed next. After {@link RObject.copy} the same ids are lent under both names.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RPermitExpirableSemaphore extends RExpirable {
  /**
   * Takes a permit, waiting as long as it takes. Returns its id.
   *
   * It is not renewed: without a lease it is lost if the process dies. See {@link RPermitExpirableSemaphore.acquirePermit}.
   *
   * @param leaseMs - see {@link PermitOptions.leaseMs}
   * @throws {@link PermitLostError} if the lease was over before the reply came
   */
  acquire(leaseMs?: number): Promise<string>
  /** Takes a permit, waiting as long as it takes. Returns its id. */
  acquire(options: PermitOptions): Promise<string>

  /** Takes several permits, 100 000 at most, all of them or none, waiting as long as it takes. Returns their ids. */
  acquireMany(permits: number, options?: PermitOptions): Promise<string[]>

  /**
   * Takes a permit if one is free, or becomes free in time. Returns its id, or undefined.
   *
   * Without a time to wait it takes what is available, past the waiters.
   *
   * @param waitMs - see {@link TryPermitOptions.waitMs}
   * @param leaseMs - see {@link PermitOptions.leaseMs}
   */
  tryAcquire(waitMs?: number, leaseMs?: number): Promise<string | undefined>
  /** Takes a permit if one is free, or becomes free in time. Returns its id, or undefined. */
  tryAcquire(options: TryPermitOptions): Promise<string | undefined>

  /**
   * Takes several permits, 100 000 at most, all of them or none, if they are free, or become free in time. Returns their
   * ids, or undefined.
   */
  tryAcquireMany(permits: number, options?: TryPermitOptions): Promise<string[] | undefined>

  /** Takes a permit that this process looks after, waiting as long as it takes. */
  acquirePermit(options?: PermitHoldOptions): Promise<PermitHold>

  /**
   * Takes a permit that this process looks after if one is free, or becomes free in time; returns undefined if not.
   *
   * @throws {@link PermitLostError} if the lease was over before the reply came, and no time is left for another attempt
   */
  tryAcquirePermit(options?: TryPermitHoldOptions): Promise<PermitHold | undefined>

  /**
   * Gives permits back, all of them or none.
   *
   * @throws {@link PermitNotHeldError} if one of them is not lent, because it was released or has expired
   */
  release(ids: string | readonly string[]): Promise<void>

  /** Gives permits back, all of them or none. Returns whether it did: false, if one of them is not lent. */
  tryRelease(ids: string | readonly string[]): Promise<boolean>

  /**
   * Returns how many permits are free; less than none, if there were too many when their number was lowered.
   */
  availablePermits(): Promise<number>

  /** Returns how many permits are lent. */
  acquiredPermits(): Promise<number>

  /** Returns how many permits there are, free or lent; 0 if the semaphore is not there. */
  getPermits(): Promise<number>

  /** Creates the semaphore with that number of permits. Returns whether it did: false if it exists already. */
  trySetPermits(permits: number): Promise<boolean>

  /** Sets the total number of permits, free or lent. Those that are lent stay so, even if they are more. */
  setPermits(permits: number): Promise<void>

  /** Adds permits, or takes some away if the number is negative. */
  addPermits(permits: number): Promise<void>

  /**
   * Sets the end of a lease, in milliseconds from now. Resolves with whether the permit is lent.
   *
   * The lease of a {@link PermitHold} of this client follows, to a shorter time as well, and the watchdog renews it no more;
   * {@link PermitHold.extend} hands it back to the watchdog. A hold of another client does not know of the change.
   */
  updateLeaseTime(id: string, leaseMs: number): Promise<boolean>

  /**
   * Milliseconds until a lease ends; -1 if never.
   *
   * @throws {@link PermitNotHeldError} if the permit is not lent
   */
  getLeaseTime(id: string): Promise<number>

  /** Removes the semaphore and every permit. Returns whether it was there. Waiters go on waiting for permits. */
  delete(): Promise<boolean>

  /**
   * Runs a function with a permit that this process renews, and releases it when the function has settled.
   *
   * A failed release does not undo the work of the function. If it succeeded while the permit was held, the
   * call resolves with its result, at the latest {@link WithPermitHoldOptions.releaseWaitMs} afterwards. The
   * release continues in the background.
   *
   * @returns what the function returns
   * @throws {@link PermitLostError} if the function succeeded, but the permit had been lost meanwhile, even if only its
   * release shows that
   * @throws {@link PermitTimeoutError} if {@link WithPermitHoldOptions.waitMs} went by
   */
  withPermit<T>(fn: (hold: PermitHold) => T | PromiseLike<T>, options?: WithPermitHoldOptions): Promise<T>
}
