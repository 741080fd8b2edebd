import type { RedissonEvents } from './events.js'
import type { RFencedLock } from './locks/fenced-lock.js'
import type { FencingGuard } from './locks/fencing-guard.js'
import type { RLock } from './locks/lock.js'
import type { RMultiLock } from './locks/multi-lock.js'
import type { ReadWriteLockOptions, RReadWriteLock } from './locks/read-write-lock.js'
import type { SpinLockOptions } from './locks/spin-lock.js'
import type { RCountDownLatch } from './synchronizers/count-down-latch.js'
import type { RPermitExpirableSemaphore } from './synchronizers/permit-expirable-semaphore.js'
import type { RRateLimiter } from './synchronizers/rate-limiter.js'
import type { RSemaphore } from './synchronizers/semaphore.js'
import type { ThreadId } from './thread-id.js'

/** How one lock differs from the others of its client. */
export interface LockSettings {
  /**
   * How many replicas have to confirm that the lock was taken; one that too few confirm is given back.
   *
   * @defaultValue what `checkLockSyncedSlaves` says, which is none
   */
  readonly syncedReplicas?: number
}

/** How a function shall be run as a thread. */
export interface RunAsThreadOptions {
  /**
   * The thread that it shall be.
   *
   * @defaultValue a new one
   */
  readonly threadId?: ThreadId
}

/** Objects that live in Redis, and are shared by all clients of the same servers. */
export interface RedissonClient {
  /** A UUID of this client alone: the first half of every owner that it writes. */
  readonly id: string

  /** A reentrant lock. Nothing is sent until it is used. */
  getLock(name: string, settings?: LockSettings): RLock

  /** A reentrant lock that lets in those who wait in the order in which they came, across all processes. */
  getFairLock(name: string, settings?: LockSettings): RLock

  /** A lock that many may hold to read, or one to write. */
  getReadWriteLock(name: string, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock

  /** A reentrant lock whose every change of hands has a number. */
  getFencedLock(name: string, settings?: LockSettings): RFencedLock

  /** Keeps late holders of a fenced lock away from a key of Redis. */
  getFencingGuard(name: string): FencingGuard

  /** A reentrant lock whose waiters try again and again, and listen to nothing. */
  getSpinLock(name: string, options?: SpinLockOptions & LockSettings): RLock

  /** A lock that answers its own holder with a {@link LockReentryError}. */
  getNonReentrantLock(name: string, settings?: LockSettings): RLock

  /** A fair lock that answers its own holder with a {@link LockReentryError}. */
  getNonReentrantFairLock(name: string, settings?: LockSettings): RLock

  /**
   * All of several locks as one, of whatever kind, and of whatever client: they are taken in the order of their names, all
   * of them or none.
   */
  getMultiLock(...locks: RLock[]): RMultiLock
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
   * of a server of its own: see {@link Redisson.createRedLock}.
   */
  getRedLock(...locks: RLock[]): RMultiLock

  /** A number of permits that nobody owns. Nothing is sent until it is used. */
  getSemaphore(name: string): RSemaphore

  /** A number of permits that have ids, and may come back by themselves. */
  getPermitExpirableSemaphore(name: string): RPermitExpirableSemaphore

  /** A count that many can wait for to reach zero. */
  getCountDownLatch(name: string): RCountDownLatch

  /** A number of permits in every interval of time. */
  getRateLimiter(name: string): RRateLimiter

  /**
   * Runs a function as one thread: locks that it takes step by step are its own, and re-entered by what it awaits.
   *
   * What it leaves running when it has settled is a stranger to its locks.
   */
  runAsThread<T>(fn: () => T | PromiseLike<T>, options?: RunAsThreadOptions): Promise<T>

  /**
   * Hears of connections, and of locks that were lost. A listener that throws stops no other.
   *
   * @throws RangeError for an event that never happens, whose name must be a mistake
   */
  on<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this

  /** Ends what {@link RedissonClient.on} began. */
  off<K extends keyof RedissonEvents>(event: K, listener: (event: RedissonEvents[K]) => void): this

  /**
   * Waits for what is under way, then gives back every socket and timer.
   *
   * Locks that are still held are not released, because their work may still be going on; Redis frees them when their
   * leases end. Whoever waits for a lock gets a {@link ClientClosedError}.
   */
  shutdown(): Promise<void>

  /** The same as {@link RedissonClient.shutdown}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}
