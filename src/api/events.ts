import type { LockLostError, LockLossReason } from '../errors/lock-errors.js'

/** Something happened to one connection. */
export interface ConnectionEvent {
  /** The server, as `host:port`. */
  readonly address: string
  /** Whether commands go out on it, or messages come in. */
  readonly purpose: 'commands' | 'messages'
}

/** A connection broke, or is not used any more. One that broke is made anew by itself. */
export interface DisconnectedEvent extends ConnectionEvent {
  /** What broke it, or why it is not used any more. */
  readonly cause: Error
}

/**
 * A lock was lost unexpectedly while it was held: from here on another owner may hold it.
 *
 * A requested lease (`leaseMs`) that has ended is not reported, nor is what `shutdown()` ends. In both cases
 * {@link LockHold.signal} aborts, but nothing is emitted.
 */
export interface LockLostEvent {
  /** The name of the lock. */
  readonly lock: string
  /** Its owner, as `clientId:threadId`. */
  readonly owner: string
  /** Its owner, without the client. */
  readonly threadId: string
  /** Why it was lost. */
  readonly reason: LockLossReason
  /** The error that {@link LockHold.signal} was aborted with. */
  readonly error: LockLostError
}

/**
 * Redis has not confirmed a release within {@link CommonOptions.releaseWaitMs} after the end of a function or
 * of an `await using` block. The function belongs to a `withLock()`, a `withPermit()`, a leadership or a
 * `getOnce()`. The caller has the result nevertheless.
 *
 * The release continues in the background. A lock stays taken until that succeeds, or its lease ends.
 */
export interface ReleaseDelayedEvent {
  /** The kind that is being released: the same as {@link HoldTrace.kind}, or `multi-lock`, or `red-lock`. */
  readonly kind: string
  /** The name of the lock, the semaphore or the run. */
  readonly name: string
  /** Who held it: of a lock `clientId:threadId`, of a permit that can expire its id, of all else undefined. */
  readonly owner: string | undefined
  /** What the release has failed with, after all its attempts; undefined while they go on. */
  readonly error: Error | undefined
}

/** The events of a client. */
export interface RedissonEvents {
  /**
   * A connection was made. In a cluster, that is one to a node that was not used before: to a master, or to a replica if reads go there.
   */
  readonly connected: ConnectionEvent
  /** A connection broke, or is not used any more, as where a master has left the cluster or has become a replica. */
  readonly disconnected: DisconnectedEvent
  /** A connection is restored. Messages in between were missed; every waiter checks again by itself. */
  readonly reconnected: ConnectionEvent
  /** A lock was lost while it was held: its lease was not renewed in time, it was forced open, or Redis has it no more. */
  readonly lockLost: LockLostEvent
  /** A function has come to its end, and what it held may still be held: Redis has not confirmed the release in time. */
  readonly releaseDelayed: ReleaseDelayedEvent
}
