import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'
import type { PermitLossReason } from '../../errors/synchronizer-errors.js'

/** A function could not begin within the time that its caller was ready to wait. It was not called. */
export class WorkTimeoutError extends RedissonError {
  override readonly name = 'WorkTimeoutError'
  override readonly code = 'WORK_TIMEOUT'
  /** The name of the limiter. */
  readonly limiter: string
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor(limiter: string, waitMs: number) {
    super(`Work limiter ${limiter} could not begin a function within ${waitMs} ms`)
    this.limiter = limiter
    this.waitMs = waitMs
  }
}

/** Too many functions wait in this process already. This one was not called. */
export class WorkQueueFullError extends RedissonError {
  override readonly name = 'WorkQueueFullError'
  override readonly code = 'WORK_QUEUE_FULL'
  /** The name of the limiter. */
  readonly limiter: string
  /** How many may wait. */
  readonly maxQueued: number

  constructor(limiter: string, maxQueued: number) {
    super(`Work limiter ${limiter} has ${maxQueued} functions waiting in this process, and no more may wait`)
    this.limiter = limiter
    this.maxQueued = maxQueued
  }
}

const explanations: Readonly<Record<PermitLossReason, string>> = {
  'not-held': 'Redis says that its lease has ended',
  expired: 'its lease ended before Redis confirmed a renewal',
  closed: 'the client was shut down',
}

/** The reason of the signal of a function whose place was lost: another function may begin in its place. */
export class WorkLostError extends RedissonError {
  override readonly name = 'WorkLostError'
  override readonly code = 'WORK_LOST'
  /** The name of the limiter. */
  readonly limiter: string
  /** Why it was lost. */
  readonly reason: PermitLossReason

  constructor(
    { limiter, reason }: { readonly limiter: string; readonly reason: PermitLossReason },
    options?: RedissonErrorOptions,
  ) {
    super(`The place of a function of work limiter ${limiter} was lost: ${explanations[reason]}`, options)
    this.limiter = limiter
    this.reason = reason
  }
}
