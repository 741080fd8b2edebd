import { RedissonError } from './redisson-error.js'

/**
 * The connection broke before Redis answered, so whether the command ran is unknown.
 *
 * Safe to try again: the locks of this library undo what such a command may have done.
 */
export class ConnectionLostError extends RedissonError {
  override readonly name = 'ConnectionLostError'
  override readonly code = 'CONNECTION_LOST'
}

/**
 * Redis did not answer in time, so whether the command ran is unknown.
 *
 * Safe to try again: the locks of this library undo what such a command may have done.
 */
export class ReplyTimeoutError extends RedissonError {
  override readonly name = 'ReplyTimeoutError'
  override readonly code = 'REPLY_TIMEOUT'
  /** How long the answer was waited for, in milliseconds. */
  readonly timeoutMs: number
  /** The command that stayed unanswered. */
  readonly command: string

  constructor(command: string, timeoutMs: number, options?: ErrorOptions) {
    super(`Redis did not answer ${command} within ${timeoutMs} ms`, options)
    this.command = command
    this.timeoutMs = timeoutMs
  }
}

/** Redis refused the command for now, as it does while it loads, fails over or has too few replicas. Nothing ran. */
export class ServerNotReadyError extends RedissonError {
  override readonly name = 'ServerNotReadyError'
  override readonly code = 'SERVER_NOT_READY'
}

/** A channel could not be subscribed in time. */
export class SubscriptionTimeoutError extends RedissonError {
  override readonly name = 'SubscriptionTimeoutError'
  override readonly code = 'SUBSCRIPTION_TIMEOUT'
  /** The channel that was asked for. */
  readonly channel: string
  /** How long the confirmation was really waited for, in milliseconds. */
  readonly elapsedMs: number

  constructor(channel: string, elapsedMs: number, options?: ErrorOptions) {
    super(`Redis did not confirm the subscription to ${channel} within ${Math.round(elapsedMs)} ms`, options)
    this.channel = channel
    this.elapsedMs = elapsedMs
  }
}
