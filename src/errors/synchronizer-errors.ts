import { leaseEnded } from './lease-ended.js'
import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** The permits were not free within the time that the caller was ready to wait. */
export class PermitTimeoutError extends RedissonError {
  override readonly name = 'PermitTimeoutError'
  override readonly code = 'PERMIT_TIMEOUT'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** How many permits were requested. */
  readonly permits: number
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor(semaphore: string, { permits, waitMs }: { readonly permits: number; readonly waitMs: number }) {
    super(`Semaphore ${semaphore} had no ${permits} free permits within ${waitMs} ms`)
    this.semaphore = semaphore
    this.permits = permits
    this.waitMs = waitMs
  }
}

/** Permits that were to be released or checked are not lent: released already, expired, or never acquired. */
export class PermitNotHeldError extends RedissonError {
  override readonly name = 'PermitNotHeldError'
  override readonly code = 'PERMIT_NOT_HELD'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** The permits that were named; at least one of them is not lent. */
  readonly ids: readonly string[]

  constructor(semaphore: string, ids: readonly string[], options?: ErrorOptions) {
    const which = ids.length === 1 ? `Permit ${ids.join()}` : `At least one of ${ids.length} permits`
    super(`${which} of semaphore ${semaphore} was released already, has expired, or never existed`, options)
    this.semaphore = semaphore
    this.ids = ids
  }
}

/** Why a permit was lost before it was released. */
export type PermitLossReason =
  /** Redis said that the permit is not lent. */
  | 'not-held'
  /** The lease ended on this process's clock: before a renewal was confirmed, or because it was not to be renewed. */
  | 'expired'
  /** The client was shut down, so the lease is not renewed any more. */
  | 'closed'

/** A permit was lost while it was held: from here on another may have it. */
export class PermitLostError extends RedissonError {
  override readonly name = 'PermitLostError'
  override readonly code = 'PERMIT_LOST'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** The permit. */
  readonly id: string
  /** Why it was lost. */
  readonly reason: PermitLossReason
  /**
   * The lease in milliseconds, if its end was the only reason: the caller had asked for it, so no watchdog
   * renewed it. Undefined otherwise.
   */
  readonly leaseMs: number | undefined

  constructor(
    facts: {
      readonly semaphore: string
      readonly id: string
      readonly reason: PermitLossReason
      readonly leaseMs?: number | undefined
    },
    options?: RedissonErrorOptions,
  ) {
    const { semaphore, id, reason, leaseMs } = facts
    const why = leaseMs === undefined ? explanations[reason] : leaseEnded(leaseMs)
    super(`Permit ${id} of semaphore ${semaphore} was lost: ${why}`, options)
    this.semaphore = semaphore
    this.id = id
    this.reason = reason
    this.leaseMs = leaseMs
  }
}

const explanations: Readonly<Record<PermitLossReason, string>> = {
  'not-held': 'Redis says that it is not lent',
  expired: 'its lease ended before Redis confirmed a renewal',
  closed: 'the client was shut down',
}

/** The rate limiter has no rate yet: see {@link RRateLimiter.trySetRate}. */
export class RateNotSetError extends RedissonError {
  override readonly name = 'RateNotSetError'
  override readonly code = 'RATE_NOT_SET'
  /** The name of the rate limiter. */
  readonly limiter: string

  constructor(limiter: string, options?: ErrorOptions) {
    super(`Rate limiter ${limiter} has no rate yet`, options)
    this.limiter = limiter
  }
}

/** More permits were requested than the rate limiter ever grants at once. */
export class RateTooLowError extends RedissonError {
  override readonly name = 'RateTooLowError'
  override readonly code = 'RATE_TOO_LOW'
  /** The name of the rate limiter. */
  readonly limiter: string
  /** How many permits were requested. */
  readonly permits: number
  /** How many permits it grants in an interval. */
  readonly rate: number
  /** How long that is, in milliseconds. */
  readonly intervalMs: number

  constructor(
    limiter: string,
    facts: { readonly permits: number; readonly rate: number; readonly intervalMs: number },
    options?: ErrorOptions,
  ) {
    const { permits, rate, intervalMs } = facts
    const which = `its rate is ${rate} in ${intervalMs} ms`
    super(`Rate limiter ${limiter} never grants ${permits} permits at once: ${which}`, options)
    this.limiter = limiter
    this.permits = permits
    this.rate = rate
    this.intervalMs = intervalMs
  }
}
