import type { ThreadId } from '../thread-id.js'

/** How a lock shall be taken. */
export interface LockOptions {
  /**
   * Milliseconds until Redis frees the lock by itself.
   *
   * @defaultValue none, and so for 0 or less: the watchdog renews the lock for as long as this process lives
   */
  readonly leaseMs?: number
  /** Ends the waiting. Nothing is left behind: no key, no subscription, no place in a queue. */
  readonly signal?: AbortSignal
  /**
   * Whose hold it shall be.
   *
   * @defaultValue whoever is asking: the enclosing {@link RedissonClient.runAsThread} or {@link RLock.withLock}, or else
   * a new owner for this call alone
   */
  readonly threadId?: ThreadId
}

/** How a lock shall be tried for. */
export interface TryLockOptions extends LockOptions {
  /**
   * Milliseconds to wait for the lock.
   *
   * @defaultValue 0, and so for less: one attempt
   */
  readonly waitMs?: number
}

/** How a hold shall be acquired. */
export type AcquireOptions = Omit<LockOptions, 'threadId'>

/** How a hold shall be tried for. */
export type TryAcquireOptions = Omit<TryLockOptions, 'threadId'>

/** How a function shall be run under a lock. */
export interface WithLockOptions extends AcquireOptions {
  /**
   * Milliseconds to wait for the lock, after which the call rejects with a {@link LockTimeoutError}.
   *
   * @defaultValue none: as long as it takes
   */
  readonly waitMs?: number
}

/** Names whose hold is meant. */
export interface ThreadOptions {
  /**
   * Whose hold it is.
   *
   * @defaultValue whoever is asking
   */
  readonly threadId?: ThreadId
}

/** A lock while it is held. Give it back with `unlock()` or `await using`. */
export interface LockHold extends AsyncDisposable {
  /** The name of the lock. */
  readonly name: string
  /** The thread that holds it, a positive decimal integer. */
  readonly threadId: string
  /**
   * The owner in Redis, `clientId:threadId`. Another process that knows it can release the hold with
   * `unlock({ threadId: owner })`.
   */
  readonly owner: string
  /** The number of this hold, larger than that of every hold before, where the lock mints one: see {@link RFencedLock}. */
  readonly fencingToken: number | undefined
  /** Whether this process may still be sure of the lock, by its own clock and by what Redis has said. */
  readonly isHeld: boolean
  /**
   * Aborts with a {@link LockLostError} as soon as this process can no longer be sure of the lock, whether or not Redis
   * answers. Hand it to whatever must not go on without the lock.
   */
  readonly signal: AbortSignal
  /**
   * Gives the lock back.
   *
   * @throws {@link LockNotHeldError} if it was lost, or given back already
   */
  unlock(): Promise<void>
  /** Gives the lock back, unless that has been done. A lease that has ended meanwhile is no error. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A reentrant lock that all clients of the same servers share, in Node and in Java.
 *
 * Whoever waits is woken by a message and polls nothing. A lock without a lease is renewed by the client's watchdog, and
 * freed by Redis when the process dies. Who counts as the holder is told in the guide on ownership.
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
   * @throws {@link NestedLockError} if the same flow holds the lock, and would wait for itself
   * @throws {@link ForkedThreadError} if the same thread is waiting for it already
   * @throws {@link WrongTypeError} if the name belongs to something else
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be
   * asked; whatever the request may have taken is given back
   */
  lock(leaseMs?: number): Promise<void>
  /** Takes the lock, waiting as long as it takes. */
  lock(options: LockOptions): Promise<void>

  /**
   * Takes the lock if it is free, or becomes free in time. Answers whether it was taken.
   *
   * @param waitMs - see {@link TryLockOptions.waitMs}
   * @param leaseMs - see {@link LockOptions.leaseMs}
   */
  tryLock(waitMs?: number, leaseMs?: number): Promise<boolean>
  /** Takes the lock if it is free, or becomes free in time. Answers whether it was taken. */
  tryLock(options: TryLockOptions): Promise<boolean>

  /**
   * Gives back one hold.
   *
   * @throws {@link LockNotHeldError} if the caller does not hold the lock; nothing is changed
   */
  unlock(options?: ThreadOptions): Promise<void>

  /** Frees the lock, whoever holds it. Answers whether it was held. */
  forceUnlock(): Promise<boolean>

  /** Whether anybody holds the lock. */
  isLocked(): Promise<boolean>

  /** Whether whoever is asking holds the lock, by Redis's word. */
  isHeldByCurrentThread(): Promise<boolean>

  /** Whether a certain thread holds the lock, by Redis's word. */
  isHeldByThread(threadId: ThreadId): Promise<boolean>

  /** How many holds whoever is asking has, by Redis's word; 0 if none. */
  getHoldCount(): Promise<number>

  /** Milliseconds until Redis frees the lock by itself; -1 if never, -2 if it is free. */
  remainTimeToLive(): Promise<number>

  /**
   * Takes the lock, waiting as long as it takes, as an owner of its own that never re-enters.
   *
   * The hold may be handed on: to a callback, a timer, another request.
   */
  acquire(options?: AcquireOptions): Promise<LockHold>

  /** Takes the lock as {@link RLock.acquire} does if it is free, or becomes free in time; answers null if not. */
  tryAcquire(options?: TryAcquireOptions): Promise<LockHold | null>

  /**
   * Runs a function while holding the lock, and gives the lock back when the function has settled.
   *
   * Inside, `withLock` on the same lock re-enters, however deep. Branches that run at the same time inside exclude each
   * other.
   *
   * @returns what the function returns
   * @throws {@link LockLostError} if the function succeeded, but the lock had been lost meanwhile
   * @throws {@link LockTimeoutError} if {@link WithLockOptions.waitMs} went by
   */
  withLock<T>(fn: (hold: LockHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T>
}
