import type { RFencedLock } from './fenced/fenced-lock.api.js'
import type { FencingGuard } from './fencing-guard/fencing-guard.api.js'
import type { RLock } from './shared/lock.api.js'
import type { AnyLock, RMultiLock } from './multi/multi-lock.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from './read-write/read-write-lock.api.js'
import type { SpinLockOptions } from './spin/spin-lock.api.js'

export type * from './fenced/fenced-lock.api.js'
export type * from './fencing-guard/fencing-guard.api.js'
export type * from './multi/multi-lock.api.js'
export type * from './read-write/read-write-lock.api.js'
export type * from './shared/lock.api.js'
export type * from './spin/spin-lock.api.js'

/** How one lock differs from the others of its client. */
export interface LockSettings {
  /**
   * How many replicas have to confirm that the lock was taken; one that too few confirm is released.
   *
   * @defaultValue what `checkLockSyncedSlaves` says, which is none
   */
  readonly syncedReplicas?: number | undefined
}

/** The locks that a client hands out. */
export interface LockObjects {
  /** A reentrant lock. Nothing is sent until it is used. */
  getLock(name: string, settings?: LockSettings): RLock

  /** A reentrant lock that serves its waiters in the order of their requests, across all processes. */
  getFairLock(name: string, settings?: LockSettings): RLock

  /** A lock that many may hold to read, or one to write. */
  getReadWriteLock(name: string, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock

  /** A reentrant lock whose every change of hands has a number. */
  getFencedLock(name: string, settings?: LockSettings): RFencedLock

  /** Keeps late holders of a fenced lock away from a key of Redis. */
  getFencingGuard(name: string): FencingGuard

  /** A reentrant lock whose waiters try again and again, and listen to nothing. */
  getSpinLock(name: string, options?: SpinLockOptions & LockSettings): RLock

  /** A lock that rejects its own holder with a {@link LockReentryError}. */
  getNonReentrantLock(name: string, settings?: LockSettings): RLock

  /** A fair lock that rejects its own holder with a {@link LockReentryError}. */
  getNonReentrantFairLock(name: string, settings?: LockSettings): RLock

  /**
   * All of several locks as one, of any kind and any client: they are taken in the order of their names, all
   * of them or none. Red locks among them come last, and are waited for while nothing else is held.
   *
   * @throws {@link OtherCopyError} for a lock of another copy of this package
   * @throws {@link SameLockError} if two clients of one server are to take locks of one name
   */
  getMultiLock(...locks: AnyLock[]): RMultiLock
  /**
   * A reentrant lock of several values of one group: all of them, or none, in one request. It excludes every other lock of
   * the group that has one of the values.
   *
   * @param group - the name of the group, which is one key in Redis
   * @param values - texts, or the bytes that the codec of a client in Java makes of its values
   */
  getMultiLock(group: string, values: Iterable<string | Uint8Array>): RLock

  /**
   * A majority of several locks as one, by the published Redlock algorithm. The locks should be of one name, each of a client
   * of a server of its own: see `Redisson.createRedLock()`.
   *
   * @throws {@link OtherCopyError} for a lock of another copy of this package
   * @throws {@link SameLockError} if two clients of one server are to take locks of one name
   */
  getRedLock(...locks: AnyLock[]): RMultiLock
}
