import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** The ring buffer has no capacity: none was ever set, or it has been deleted or expired. Nothing was changed. See {@link RRingBuffer.trySetCapacity}. */
export class CapacityNotSetError extends RedissonError {
  override readonly name = 'CapacityNotSetError'
  override readonly code = 'CAPACITY_NOT_SET'
  /** The name of the ring buffer, as the program gave it. */
  readonly object: string

  constructor(object: string, options?: RedissonErrorOptions) {
    super(`The ring buffer ${object} has no capacity: trySetCapacity() sets it`, options)
    this.object = object
  }
}
