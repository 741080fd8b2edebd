import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** The stream has no such group, or there is no stream. Nothing was changed. See {@link RStream.createGroup}. */
export class NoSuchGroupError extends RedissonError {
  override readonly name = 'NoSuchGroupError'
  override readonly code = 'NO_SUCH_GROUP'
  /** The name of the stream, as the program gave it. */
  readonly object: string
  /** The name of the group. */
  readonly group: string

  constructor(object: string, group: string, options?: RedissonErrorOptions) {
    super(`The stream ${object} has no group ${group}: createGroup() makes one`, options)
    this.object = object
    this.group = group
  }
}
