import type { LockLossReason } from '../errors/lock-errors.js'

/**
 * What subscribers of the tracing channel `ioredisson:request` of `node:diagnostics_channel` get for one request to Redis. All events of
 * a request have the same object.
 *
 * Arguments, keys and results are never included, also not in the `error` or as the `result` that Node's tracing channels add. Without a
 * subscriber nothing is collected.
 */
export interface RequestTrace {
  /** Whether a command of Redis is sent or a script is run. */
  readonly kind: 'command' | 'script'
  /** The command, such as `HGET`, or the script, such as `lock/acquire`. */
  readonly name: string
  /** How often it was sent, or was to be sent: also where no server could be reached. 0 until it has ended. */
  readonly attempts: number
  /** For how long its caller waited, in milliseconds, with all attempts and the pauses between them; 0 until it has ended. */
  readonly waitedMs: number
  /**
   * How it ended: with a reply; with an error after which nothing has run; or with one that leaves open whether it has run. Undefined
   * until it has ended.
   */
  readonly outcome: 'answered' | 'failed' | 'unknown' | undefined
  /**
   * The kind of error the request failed with, if any. It has the `name` and the `code` of an error of this
   * library, the `name` of a JavaScript error, such as `TypeError`, and `Error` for any other. Its message
   * has the name of the request alone. The error that the caller gets says more, such as the name of the
   * object.
   */
  readonly error?: Error
}

/**
 * What subscribers of the tracing channel `ioredisson:acquire` learn of one call that acquires something: `start` and `end` at once when it
 * begins, in the asynchronous context of its caller, `asyncStart` and `asyncEnd` when it has ended; `error` before that if it failed. All
 * events of a call have the same object.
 *
 * Such calls are those of all locks, semaphores and rate limiters, and `await()` of a latch: also those that do not wait, and those that
 * nest a hold. A multi-lock or a red lock is one acquisition; its members have none of their own. An election and a computed value are
 * reported as the lock that they use. Without a subscriber when it begins, a call is not reported.
 */
export interface AcquireTrace {
  /**
   * What is acquired: `lock` (of any kind but those that follow), `read-lock`, `value-group`, `multi-lock`, `red-lock`, `permit` of either
   * semaphore, `rate` of a rate limiter, `work` of a work limiter, or `latch`.
   */
  readonly kind: string
  /** Its key in Redis, after `nameMapper`; of a multi-lock or a red lock, those of its members, with commas between them. */
  readonly name: string
  /**
   * How many requests were made to ask Redis for it, together with others or alone; of a multi-lock or a red lock, for any of its members.
   * One that no server could be asked by counts as well, and one that is sent again because its reply was lost counts once. It stays 0
   * where the call ended before a request was made.
   */
  readonly attempts: number
  /** For how long its caller waited, in milliseconds; 0 until it has ended. */
  readonly waitedMs: number
  /**
   * The outcome. `acquired`: also for a latch at zero. `refused`: not free in time, whether the call returns
   * that or throws. `aborted`: by the signal of its caller. `failed`: with an error. Undefined until it has
   * ended.
   */
  readonly outcome: 'acquired' | 'refused' | 'aborted' | 'failed' | undefined
  /**
   * The kind of error it failed with, if any. It has the `name` and the `code` of an error of this library,
   * the `name` of a JavaScript error, such as `TypeError`, and `Error` for any other. The error that the
   * caller gets says more.
   */
  readonly error?: Error
}

/**
 * One hold of a lock, or of a permit that can expire, for subscribers of the tracing channel
 * `ioredisson:hold`. Permits have a hold if they are acquired by `acquirePermit()`, `tryAcquirePermit()` or
 * `withPermit()`, with the watchdog or a lease. `start` and `end` come at once when it begins, `asyncStart`
 * and `asyncEnd` when it ends. All events of a hold have the same object.
 *
 * Nested holds of a thread are one. Without a subscriber when it begins, a hold is not reported. A multi-lock
 * or a red lock is reported as its members. `RSemaphore`, `RRateLimiter` and permits with ids, such as those
 * of `acquire()`, have no holds.
 */
export interface HoldTrace {
  /**
   * What is held: `lock` (of any kind but those that follow), `read-lock`, `value-group`, `permit`, `mark` of a run that happens once,
   * `work` of a work limiter, or `node-number` of a snowflake.
   */
  readonly kind: string
  /** Its key in Redis, after `nameMapper`. */
  readonly name: string
  /** For how long it was held, in milliseconds; 0 until it has ended. */
  readonly heldMs: number
  /**
   * How it ended: `released` by the program, or lost, and why; undefined until then. Whether it was still there when it was released, the
   * call that releases it tells.
   */
  readonly outcome: 'released' | LockLossReason | undefined
}

/**
 * A delayed release, for subscribers of the plain channel `ioredisson:hold:delayed`: a function has ended,
 * and Redis has not confirmed the release of its hold within {@link CommonOptions.releaseWaitMs}. See
 * {@link RedissonEvents.releaseDelayed}.
 */
export interface DelayedRelease {
  /** The kind that is being released: as in {@link HoldTrace.kind}, or `multi-lock` or `red-lock`. Permits of either semaphore are `permit`. */
  readonly kind: string
  /** Its key in Redis, after `nameMapper`; of a multi-lock or a red lock, those of its members, with commas between them. */
  readonly name: string
  /**
   * The kind of error that the release failed with, after all its attempts. It has the `name` and the `code`
   * of an error of this library, the `name` of a JavaScript error, and `Error` for any other. Absent while
   * the attempts continue.
   */
  readonly error?: Error
}

/**
 * What subscribers of the tracing channel `ioredisson:subscription` learn of one subscription of a topic: `start` and `end` when it is asked
 * for, `asyncStart` when Redis has confirmed it, `asyncEnd` when it has ended; `error` before that if it failed or was lost. All events of a subscription have the same object.
 *
 * Each gap is published at the channel `ioredisson:subscription:gap`, with the same object. Messages are never published.
 */
export interface SubscriptionTrace {
  /** Whether it is of one topic, of all that match a pattern, or of a sharded topic. */
  readonly kind: 'plain' | 'pattern' | 'sharded'
  /** The channel, or the pattern, as Redis has it: after `nameMapper`. */
  readonly name: string
  /** How long it took until Redis confirmed it, or until it failed, in milliseconds; 0 until then. */
  readonly waitedMs: number
  /** How often messages may have been missed. */
  readonly gaps: number
  /**
   * How it ended: by the program or the shutdown of the client; without a confirmation; or refused by Redis after that. Undefined until it
   * has ended.
   */
  readonly outcome: 'ended' | 'failed' | 'lost' | undefined
  /**
   * The kind of error it failed with or was lost by, if any. It has the `name` and the `code` of an error of
   * this library, the `name` of a JavaScript error, such as `TypeError`, and `Error` for any other. The error
   * that the program gets says more.
   */
  readonly error?: Error
}
