import { RedissonError } from '../../errors/redisson-error.js'

/** A list has no element at the index that was to be set, or ends before the index where something was to be inserted. Nothing was changed. */
export class IndexOutOfBoundsError extends RedissonError {
  override readonly name = 'IndexOutOfBoundsError'
  override readonly code = 'INDEX_OUT_OF_BOUNDS'
  /** The name of the list, as the program gave it. */
  readonly object: string
  /** The index, as the program gave it. */
  readonly index: number

  constructor(object: string, index: number, options?: ErrorOptions) {
    super(`The index ${String(index)} is beyond the end of the list ${object}`, options)
    this.object = object
    this.index = index
  }
}
