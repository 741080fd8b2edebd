import type { ThreadId } from '../../api/thread-id.js'

/** Options to take a lock. */
export interface LockOptions {
  /**
   * Milliseconds to wait for the lock, after which the call rejects with a {@link LockTimeoutError}.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * 0, and so less, is no time limit but a single attempt: the call rejects at once if the lock is taken. Its reply may take up to
   * {@link ServerOptions.timeout}.
   *
   * @defaultValue none: as long as it takes
   */
  readonly waitMs?: number | undefined
  /**
   * Milliseconds until Redis frees the lock by itself. Less than 100 warns once for the process, because seconds were probably
   * meant.
   *
   * @defaultValue none, and so for 0 or less: the watchdog renews the lock for as long as this process lives
   */
  readonly leaseMs?: number | undefined
  /** Ends the waiting. Nothing is left behind: no key, no subscription, no place in a queue. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whose hold it shall be.
   *
   * @defaultValue the calling owner: the enclosing {@link RedissonClient.runAsThread} or {@link RLock.withLock}, or else
   * a new owner for this call alone
   */
  readonly threadId?: ThreadId | undefined
}

/** Options to try a lock. */
export interface TryLockOptions extends LockOptions {
  /**
   * Milliseconds to wait for the lock, after which the call resolves without it.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0, and so for less: a single attempt, whose reply may take up to {@link ServerOptions.timeout}
   */
  readonly waitMs?: number | undefined
}

/** Options to acquire a hold. */
export type AcquireOptions = Omit<LockOptions, 'threadId'>

/** Options to try to acquire a hold. */
export type TryAcquireOptions = Omit<TryLockOptions, 'threadId'>

/** Options to run a function under a lock. */
export interface WithLockOptions extends AcquireOptions {
  /**
   * How long the call waits for the release, once the function has come to its end, in milliseconds. Then it settles as the function has,
   * and the release continues in the background until the lease ends. The client emits {@link RedissonEvents.releaseDelayed}.
   *
   * @defaultValue what the client says: {@link CommonOptions.releaseWaitMs}, 1000
   */
  readonly releaseWaitMs?: number | undefined
}

/** Names whose hold is meant. */
export interface ThreadOptions {
  /**
   * Whose hold it is.
   *
   * @defaultValue the calling owner
   */
  readonly threadId?: ThreadId | undefined
}

/** A lock while it is held. Release it with `unlock()` or `await using`. */
export interface LockHold extends AsyncDisposable {
  /** The name of the lock. */
  readonly name: string
  /** The thread that holds it, a positive decimal integer. Reading it is like reading `owner`. */
  readonly threadId: string
  /**
   * The owner in Redis, `clientId:threadId`. Another process that knows it can release the hold with
   * `unlock({ threadId: owner })`, or enter too with `lock({ threadId: owner })`.
   *
   * From the first read on, this client allows for that. Each request of the thread leaves its reply in Redis
   * for a while. A lost hold is not released any more, but ends with its lease.
   */
  readonly owner: string
  /** The number of this hold, larger than that of every hold before, where the lock mints one: see {@link RFencedLock}. */
  readonly fencingToken: number | undefined
  /** Whether this process may still be sure of the lock, by its own clock and by what Redis has said. */
  readonly isHeld: boolean
  /**
   * Aborts with a {@link LockLostError} as soon as this process can no longer be sure of the lock, whether or not Redis
   * answers. Pass it to all code that must not go on without the lock.
   */
  readonly signal: AbortSignal
  /**
   * Makes the lease last at least that long from now on; it is never made shorter. Costs one request.
   *
   * In Redis it is one lock, however often its owner has entered: an extension by one hold applies to all of
   * them.
   *
   * @param leaseMs - milliseconds, more than 0; without it the watchdog renews the lock from now on, until
   * this hold is released
   * @throws RangeError for 0 or less, and for anything that is not a number
   * @throws {@link LockLostError} if the lock was lost
   * @throws {@link LockNotHeldError} if it was released
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis
   * cannot be reached, or {@link QuorumError} if too few members of several locks can. The hold lasts as long
   * as it would have
   * @example
   * ```ts
   * await using hold = await client.getLock('report').acquire({ leaseMs: 60_000 })
   * for (const page of pages) {
   *   await hold.extend(60_000)
   *   await print(page)
   * }
   * ```
   */
  extend(leaseMs?: number): Promise<void>
  /**
   * Gives the lock back.
   *
   * @throws {@link LockNotHeldError} if it was lost, or released already
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached. The release
   * is then sent again in the background until the lease ends. What was done under the lock is done: do not repeat it for that
   */
  unlock(): Promise<void>
  /**
   * Releases the lock, unless it was released already. It does not reject if the lease has ended, or if Redis
   * cannot be reached. After {@link CommonOptions.releaseWaitMs} the release continues in the background, and
   * the client emits {@link RedissonEvents.releaseDelayed}.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A reentrant lock that all clients of the same servers share, in Node and in Java.
 *
 * A waiter is woken by a message and polls nothing. A lock without a lease is renewed by the client's watchdog, and
 * freed by Redis when the process dies. The guide on ownership says which caller counts as the holder.
 */
export interface RLock {
  /** The name, as the program gave it. */
  readonly name: string

  /**
   * Takes the lock, waiting as long as it takes.
   *
   * Outside every scope each call is an owner of its own that never re-enters; `unlock()` in the same flow releases it.
   *
   * @param leaseMs - see {@link LockOptions.leaseMs}
   * @throws TypeError for an option or an argument that the call does not take, as does every other call
   * @throws {@link NestedLockError} if the same flow holds the lock, and would wait for itself
   * @throws {@link ForkedThreadError} if the same thread is waiting for it already
   * @throws {@link LockTimeoutError} if {@link LockOptions.waitMs} went by
   * @throws {@link WrongTypeError} if the name belongs to something else
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be
   * reached; what the request may have acquired is released
   */
  lock(leaseMs?: number): Promise<void>
  /** Takes the lock, waiting as long as it takes. */
  lock(options: LockOptions): Promise<void>

  /**
   * Takes the lock if it is free, or becomes free in time. Returns whether it was taken.
   *
   * @param waitMs - see {@link TryLockOptions.waitMs}
   * @param leaseMs - see {@link LockOptions.leaseMs}
   */
  tryLock(waitMs?: number, leaseMs?: number): Promise<boolean>
  /** Takes the lock if it is free, or becomes free in time. Returns whether it was taken. */
  tryLock(options: TryLockOptions): Promise<boolean>

  /**
   * Releases one hold.
   *
   * @throws {@link LockNotHeldError} if the caller does not hold the lock; nothing is changed
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached. The release
   * is then sent again in the background until the lease ends. What was done under the lock is done: do not repeat it for that
   */
  unlock(options?: ThreadOptions): Promise<void>

  /** Frees the lock of any owner. Returns whether it was held. */
  forceUnlock(): Promise<boolean>

  /** Returns whether any owner holds the lock. */
  isLocked(): Promise<boolean>

  /** Returns whether the calling owner holds the lock, according to Redis. */
  isHeldByCurrentThread(): Promise<boolean>

  /** Returns whether a certain thread holds the lock, according to Redis. */
  isHeldByThread(threadId: ThreadId): Promise<boolean>

  /** Returns how many holds the calling owner has, according to Redis; 0 if none. */
  getHoldCount(): Promise<number>

  /** Milliseconds until Redis frees the lock by itself; -1 if never, -2 if it is free. */
  remainTimeToLive(): Promise<number>

  /**
   * Takes the lock, waiting as long as it takes, as an owner of its own that never re-enters.
   *
   * The hold may be handed on: to a callback, a timer, another request.
   *
   * @throws {@link LockTimeoutError} if {@link LockOptions.waitMs} went by
   */
  acquire(options?: AcquireOptions): Promise<LockHold>

  /** Takes the lock as {@link RLock.acquire} does if it is free, or becomes free in time; returns undefined if not. */
  tryAcquire(options?: TryAcquireOptions): Promise<LockHold | undefined>

  /**
   * Runs a function while holding the lock, and releases the lock when the function has settled.
   *
   * Inside, `withLock` on the same lock re-enters, at any depth. Branches that run at the same time inside exclude each
   * other. The function may return a query builder, or another thenable: what its `then()` starts is inside as well.
   *
   * A failed release does not undo the work of the function. If it succeeded while the lock was held, the
   * call resolves with its result, at the latest {@link WithLockOptions.releaseWaitMs} afterwards. If it
   * threw, the call rejects with its error, as late.
   *
   * @returns what the function returns
   * @throws {@link LockLostError} if the function succeeded, but the lock had been lost meanwhile
   * @throws {@link LockTimeoutError} if {@link LockOptions.waitMs} went by
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached to acquire
   * the lock: the function has not run, and trying again is safe
   */
  withLock<T>(fn: (hold: LockHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T>
}
