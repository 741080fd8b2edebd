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
