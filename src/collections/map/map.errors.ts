import { RedissonError } from '../../errors/redisson-error.js'

/** A function that computes a value computes the value of the same key, which it would wait for itself to do. Nothing was changed. */
export class NestedComputeError extends RedissonError {
  override readonly name = 'NestedComputeError'
  override readonly code = 'NESTED_COMPUTE'
  /** The name of the map, as the program gave it. */
  readonly object: string

  constructor(object: string) {
    super(
      `A function that computes a value of ${object} asked to compute that of the same key. Have it return the value that is to be set`,
    )
    this.object = object
  }
}

/**
 * A value was changed by others each time while a function computed it from the one before, and so was not set.
 *
 * Others are programs that write without the lock of the entry, and the function itself, if it puts a value under the key.
 */
export class EntryContendedError extends RedissonError {
  override readonly name = 'EntryContendedError'
  override readonly code = 'ENTRY_CONTENDED'
  /** The name of the map, as the program gave it. */
  readonly object: string
  /** How often the function was called. */
  readonly attempts: number

  constructor(object: string, attempts: number) {
    super(
      `A value of ${object} was changed ${String(attempts)} times in a row while it was computed. ` +
        'Have others compute it as well, and the function return the value instead of putting it',
    )
    this.object = object
    this.attempts = attempts
  }
}
