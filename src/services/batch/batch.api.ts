import type { CollectionObjects } from '../../collections/collections.api.js'
import type { CounterObjects } from '../../counters/counters.api.js'
import type { ValueObjects } from '../../objects/objects.api.js'
import type { ProbabilisticObjects } from '../../probabilistic/probabilistic.api.js'
import type { TopicObjects } from '../../topics/topics.api.js'

/** How a batch is sent. */
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
  readonly mode?: 'pipeline' | 'atomic'
  /**
   * Whether the results are dropped, so that a batch of calls that only write need not return them. Calls that fail are reported all the same.
   *
   * @defaultValue false
   */
  readonly skipResult?: boolean
  /**
   * How many replicas have to confirm what the batch has written, within `slavesSyncTimeout` of the client. If there are fewer, the batch
   * rejects with a {@link NotReplicatedError} as the cause, and what was written stays.
   *
   * @defaultValue 0
   */
  readonly syncedReplicas?: number
  /**
   * How long nothing may arrive while replies of an attempt are waited for, in milliseconds. Less where another call over the same connection
   * has a shorter time: the connection is dropped then.
   *
   * @defaultValue `timeout` of the client; for atomic batches and those with `syncedReplicas`, `timeout` and `slavesSyncTimeout` together
   */
  readonly responseTimeoutMs?: number
  /**
   * Whether calls that change something are sent again when their reply is lost, and take effect once, as if each object had
   * {@link ObjectOptions.exactlyOnce}. A call that only reads is sent again as well, unless a later call changes its key whose reply was lost
   * too: it would find that change, and so rejects with the loss.
   *
   * Without it, a call is sent again after a loss where that changes neither its result nor what later calls have done; the others reject,
   * with {@link RedissonError.mayHaveRun}.
   *
   * @defaultValue false: what the objects of the batch were made with
   */
  readonly exactlyOnce?: boolean
  /**
   * Ends the waiting: the batch rejects with an {@link AbortError}, and what was not sent by then is not sent. {@link RedissonError.mayHaveRun} says whether
   * Redis may have run any of it. Promises of its calls settle later.
   */
  readonly signal?: AbortSignal
}

/** The results of a batch, in the order in which its function returned their promises. */
export type BatchResults<R extends readonly unknown[]> = { -readonly [I in keyof R]: Awaited<R[I]> }

/**
 * The objects of a batch. They are those of the client, but for what their methods do: nothing is sent before the function of the batch has
 * returned, and then everything together.
 *
 * Whatever takes one request can be part of a batch. A method that takes several, one after the other, that waits or that listens throws a
 * {@link NotInBatchError} or rejects with one, and the batch sends nothing then. Such are walks, `containsValue()`, lists of more than 5 000
 * elements for one call, and listeners. Methods that read all of an object, such as `readAllMap()`, reject if it has more than 5 000 elements, which is known
 * only when the batch has run: its other calls have taken effect then.
 */
export interface RBatch
  extends
    ValueObjects,
    ProbabilisticObjects,
    CounterObjects,
    CollectionObjects,
    Pick<TopicObjects, 'getTopic' | 'getShardedTopic'> {}
