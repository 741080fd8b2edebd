import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** More messages arrived than an iteration has taken and its buffer has room for. */
export class MessageOverflowError extends RedissonError {
  override readonly name = 'MessageOverflowError'
  override readonly code = 'MESSAGE_OVERFLOW'
  /** How many messages could wait. */
  readonly buffer: number

  constructor(buffer: number) {
    super(`More than ${String(buffer)} messages wait for the iteration`)
    this.buffer = buffer
  }
}

/** Redis is too old for the command: it does not know it. Nothing ran. */
export class UnsupportedCommandError extends RedissonError {
  override readonly name = 'UnsupportedCommandError'
  override readonly code = 'UNSUPPORTED_COMMAND'
  /** What would have been needed, such as `Redis 7`. */
  readonly needs: string

  constructor(what: string, needs: string, options: RedissonErrorOptions) {
    super(`${what} needs ${needs}`, options)
    this.needs = needs
  }
}
