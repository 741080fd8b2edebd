import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** A geo was to be searched around a member that it does not have. The member is left out of the message: it may be a secret. */
export class NoSuchMemberError extends RedissonError {
  override readonly name = 'NoSuchMemberError'
  override readonly code = 'NO_SUCH_MEMBER'
  /** The name of the geo, as the program gave it. */
  readonly object: string

  constructor(object: string, options?: RedissonErrorOptions) {
    super(`The member around which ${object} is to be searched is not there`, options)
    this.object = object
  }
}
