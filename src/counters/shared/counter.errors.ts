import { RedissonError } from '../../errors/redisson-error.js'
import type { ReplyErrorOptions } from '../../errors/reply-errors.js'

/**
 * A counter would become more than Redis can write: an integer of more than 64 bits. So would the next block of an id generator end. Nothing
 * was changed.
 */
export class CounterOverflowError extends RedissonError {
  override readonly name = 'CounterOverflowError'
  override readonly code = 'COUNTER_OVERFLOW'
  /** The name of the counter or generator, as the program gave it. */
  readonly object: string

  constructor(object: string, options: ReplyErrorOptions) {
    super(`${object} would become too large: ${options.cause.message}`, options)
    this.object = object
  }
}

/** Not all clients that were asked for the sum of an adder have replied in time. Some of them may have begun anew, if that was asked. */
export class AdderTimeoutError extends RedissonError {
  override readonly name = 'AdderTimeoutError'
  override readonly code = 'ADDER_TIMEOUT'
  /** The name of the adder. */
  readonly object: string
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor(object: string, waitMs: number) {
    super(`Not all clients of adder ${object} have replied within ${waitMs} ms`, { mayHaveRun: true })
    this.object = object
    this.waitMs = waitMs
  }
}

/** An adder was used after its {@link RAdder.destroy}. Nothing was done. */
export class AdderDestroyedError extends RedissonError {
  override readonly name = 'AdderDestroyedError'
  override readonly code = 'ADDER_DESTROYED'
  /** The name of the adder. */
  readonly object: string

  constructor(object: string) {
    super(`Adder ${object} was destroyed`)
    this.object = object
  }
}
