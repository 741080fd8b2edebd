import type { LockLossReason } from '../../errors/lock-errors.js'
import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** Why a delivery was lost. */
export type DeliveryLossReason =
  /** Its time was over on this process's clock: before a renewal was confirmed, or because it was not to be renewed. */
  | 'expired'
  /** Its message came after its time was over, and the program has not seen it. It does not count as delivered. */
  | 'late'
  /** Redis said that the delivery is not held: its time was over there, or the queue has been deleted. */
  | 'not-held'
  /** The client was shut down. */
  | 'closed'
  /** It had been acknowledged, failed or given back before. */
  | 'settled'

const explanations: Readonly<Record<DeliveryLossReason, string>> = {
  expired: 'its time was over before Redis confirmed more',
  late: 'its message came after its time was over',
  'not-held': 'its time was over, or the queue has been deleted',
  closed: 'the client was shut down',
  settled: 'it was acknowledged, failed or given back before',
}

/**
 * A delivery was lost before it was acknowledged: the message is, or will be, delivered again.
 *
 * With the {@link DeliveryLostError.reason} `'settled'` nothing was lost. The program had settled the delivery before, and what it did then counts.
 */
export class DeliveryLostError extends RedissonError {
  override readonly name = 'DeliveryLostError'
  override readonly code = 'DELIVERY_LOST'
  /** The name of the queue. */
  readonly queue: string
  /** The id of the message. */
  readonly id: string
  /** Why it was lost. */
  readonly reason: DeliveryLossReason

  constructor(
    {
      queue,
      id,
      reason,
    }: {
      readonly queue: string
      readonly id: string
      readonly reason: DeliveryLossReason | LockLossReason
    },
    options?: RedissonErrorOptions,
  ) {
    const why = reason === 'forced' ? 'not-held' : reason
    const what = why === 'settled' ? 'is over' : 'was lost'
    super(`The delivery of message ${id} of queue ${queue} ${what}: ${explanations[why]}`, options)
    this.queue = queue
    this.id = id
    this.reason = why
  }
}

/** A message was cancelled while it was worked on. It is not delivered again. */
export class DeliveryCancelledError extends RedissonError {
  override readonly name = 'DeliveryCancelledError'
  override readonly code = 'DELIVERY_CANCELLED'
  /** The name of the queue. */
  readonly queue: string
  /** The id of the message. */
  readonly id: string
  /** What the caller of `cancel()` has said. */
  readonly reason: string

  constructor({
    queue,
    id,
    reason,
  }: {
    readonly queue: string
    readonly id: string
    readonly reason: string
  }) {
    super(`Message ${id} of queue ${queue} was cancelled: ${reason}`)
    this.queue = queue
    this.id = id
    this.reason = reason
  }
}
