import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** A queue has no element, where one was demanded. Nothing was changed. */
export class NoSuchElementError extends RedissonError {
  override readonly name = 'NoSuchElementError'
  override readonly code = 'NO_SUCH_ELEMENT'
  /** The name of the queue, as the program gave it. */
  readonly object: string

  constructor(object: string, options?: RedissonErrorOptions) {
    super(`There is no element in ${object}`, options)
    this.object = object
  }
}

/**
 * A ring buffer or a bounded blocking queue has no capacity: none was ever set, or it has been deleted or expired. Nothing was changed. See
 * {@link RRingBuffer.trySetCapacity} and {@link RBoundedBlockingQueue.trySetCapacity}.
 */
export class CapacityNotSetError extends RedissonError {
  override readonly name = 'CapacityNotSetError'
  override readonly code = 'CAPACITY_NOT_SET'
  /** The name of the object, as the program gave it. */
  readonly object: string

  constructor(object: string, options?: RedissonErrorOptions) {
    super(`${object} has no capacity: trySetCapacity() sets it`, options)
    this.object = object
  }
}

/** A reliable queue or a bounded blocking queue has as many messages or elements as it may have. Nothing was added. */
export class QueueFullError extends RedissonError {
  override readonly name = 'QueueFullError'
  override readonly code = 'QUEUE_FULL'
  /** The name of the queue. */
  readonly queue: string
  /** How many it may have. */
  readonly capacity: number
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor({
    queue,
    capacity,
    waitMs,
  }: {
    readonly queue: string
    readonly capacity: number
    readonly waitMs: number
  }) {
    const patience = waitMs > 0 ? ` for ${waitMs} ms` : ''
    super(`Queue ${queue} has been full${patience}: its capacity is ${capacity}`)
    this.queue = queue
    this.capacity = capacity
    this.waitMs = waitMs
  }
}
