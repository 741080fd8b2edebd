import type { RedissonEvents } from './events.js'
import type { RLock } from './locks/lock.js'
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

  /**
   * Runs a function as one thread: locks that it takes step by step are its own, and re-entered by what it awaits.
   *
   * What it leaves running when it has settled is a stranger to its locks.
   */
  runAsThread<T>(fn: () => T | PromiseLike<T>, options?: RunAsThreadOptions): Promise<T>

  /** Hears of connections, and of locks that were lost. A listener that throws stops no other. */
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
