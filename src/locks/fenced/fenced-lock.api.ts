import type {
  AcquireOptions,
  LockHold,
  LockOptions,
  RLock,
  TryAcquireOptions,
  TryLockOptions,
  WithLockOptions,
} from '../shared/lock.api.js'

/** A hold that has a number, larger than that of every hold before. */
export interface FencedHold extends LockHold {
  readonly fencingToken: number
}

/**
 * A lock with a number for each new owner, so that the protected resource can distinguish a late holder from the present one.
 *
 * A holder that was stopped for too long, or cut off, may come back after its lock has gone to another owner, and write.
 * Hand its token along with every write, and have the store refuse a token that is smaller than one that it has seen. The
 * token stays the same while its holder re-enters. Where replicas confirm the lock, failovers do not set it back.
 */
export interface RFencedLock extends RLock {
  /**
   * Takes the lock as `RLock.lock` does, and returns the token.
   *
   * @param leaseMs - see {@link LockOptions.leaseMs}
   */
  lockAndGetToken(leaseMs?: number): Promise<number>
  /** Takes the lock as `RLock.lock` does, and returns the token. */
  lockAndGetToken(options: LockOptions): Promise<number>

  /**
   * Takes the lock as `RLock.tryLock` does, and returns the token; undefined if the lock was not free in time.
   *
   * @param waitMs - see {@link TryLockOptions.waitMs}
   * @param leaseMs - see {@link LockOptions.leaseMs}
   */
  tryLockAndGetToken(waitMs?: number, leaseMs?: number): Promise<number | undefined>
  /** Takes the lock as `RLock.tryLock` does, and returns the token; undefined if the lock was not free in time. */
  tryLockAndGetToken(options: TryLockOptions): Promise<number | undefined>

  /** Returns the token that was issued last, to any owner; 0 if none was. It does not prove a hold. */
  getToken(): Promise<number>

  acquire(options?: AcquireOptions): Promise<FencedHold>
  tryAcquire(options?: TryAcquireOptions): Promise<FencedHold | undefined>
  withLock<T>(fn: (hold: FencedHold) => T | PromiseLike<T>, options?: WithLockOptions): Promise<T>
}
