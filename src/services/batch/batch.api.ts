import type { DataObjects } from '../../api/data-objects.js'
import type { TopicObjects } from '../../topics/topics.api.js'

/** Options of a batch. */
export interface BatchOptions {
  /**
   * - `pipeline`: the calls of one slot run in their order, and what other clients do may come between them. Each of them succeeds or fails
   *   by itself. A call that Redis refuses for a moment rejects with a {@link ServerNotReadyError} if a later one of its slot has run, and is
   *   sent again otherwise. While a slot moves between two nodes, the order is that of each key.
   * - `atomic`: all calls run as one step (`MULTI`), or none of them. All keys have to be in one slot of a cluster. A call that fails while
   *   the step runs, as one at a value of another kind, does not undo the others.
   *
   * @defaultValue `pipeline`
   */
  readonly mode?: 'pipeline' | 'atomic' | undefined
  /**
   * Whether the results are dropped, so that a batch of calls that only write need not return them. Calls that fail are still reported.
   *
   * @defaultValue false
   */
  readonly skipResult?: boolean | undefined
  /**
   * How many replicas have to confirm what the batch has written, within `slavesSyncTimeout` of the client. If there are fewer, the batch
   * rejects with a {@link NotReplicatedError} as the cause, and what was written stays.
   *
   * @defaultValue 0
   */
  readonly syncedReplicas?: number | undefined
  /**
   * How long nothing may arrive while replies of an attempt are waited for, in milliseconds. Less where another call over the same connection
   * has a shorter time: the connection is dropped then.
   *
   * @defaultValue `timeout` of the client; for atomic batches and those with `syncedReplicas`, `timeout` and `slavesSyncTimeout` together
   */
  readonly responseTimeoutMs?: number | undefined
  /**
   * Whether calls that change something are sent again when their reply is lost, and take effect once, as if
   * each object had {@link ObjectOptions.exactlyOnce}. A call that only reads is sent again too, unless a
   * later call without a reply changes its key. It would read that change, and so it rejects.
   *
   * Without it, a call is sent again after a lost reply if that changes neither its result nor the effect of
   * later calls. The others reject, with {@link RedissonError.mayHaveRun}.
   *
   * @defaultValue false: what the objects of the batch were made with
   */
  readonly exactlyOnce?: boolean | undefined
  /**
   * Ends the waiting: the batch rejects with an {@link AbortError}, and what was not sent by then is not sent. {@link RedissonError.mayHaveRun} says whether
   * Redis may have run any of it. Promises of its calls settle later.
   */
  readonly signal?: AbortSignal | undefined
}

/** The results of a batch, in the order in which its function returned their promises. */
export type BatchResults<R extends readonly unknown[]> = { -readonly [I in keyof R]: Awaited<R[I]> }

/**
 * The objects of a batch. They are like those of the client, but send their calls later: nothing before the
 * function of the batch has returned, and then everything together.
 *
 * Calls that take one request can be part of a batch. A method that takes several in turn, waits or listens
 * throws a {@link NotInBatchError} or rejects with one, and the batch sends nothing. These are iterations,
 * `containsValue()`, lists of more than 5 000 elements for one call, and listeners. Methods that read a whole
 * object, such as `readAllMap()`, reject if it has more than 5 000 elements. That is known only when the
 * batch has run: then its other calls have taken effect.
 *
 * While its function runs, calls of objects that the client itself has handed out reject with a {@link NotInBatchError},
 * and the batch sends nothing. Calls of other clients are sent at once.
 */
export interface RBatch
  extends DataObjects, Pick<TopicObjects, 'getTopic' | 'getShardedTopic' | 'getReliableTopic'> {}
