import { RedissonError } from './redisson-error.js'

/** The permits were not free within the time that the caller was ready to wait. */
export class PermitTimeoutError extends RedissonError {
  override readonly name = 'PermitTimeoutError'
  override readonly code = 'PERMIT_TIMEOUT'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** How many permits were asked for. */
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

/** Permits that were to be given back, or asked about, are not lent: given back already, expired, or never there. */
export class PermitNotHeldError extends RedissonError {
  override readonly name = 'PermitNotHeldError'
  override readonly code = 'PERMIT_NOT_HELD'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** The permits that were named; at least one of them is not lent. */
  readonly ids: readonly string[]

  constructor(semaphore: string, ids: readonly string[], options?: ErrorOptions) {
    const which = ids.length === 1 ? `Permit ${ids.join()}` : `At least one of ${ids.length} permits`
    super(`${which} of semaphore ${semaphore} was given back already, has expired, or never was`, options)
    this.semaphore = semaphore
    this.ids = ids
  }
}

/** Why a permit was lost before it was given back. */
export type PermitLossReason =
  /** Redis said that the permit is not lent. */
  | 'not-held'
  /** The lease ran out on this process's clock before a renewal was confirmed. */
  | 'expired'
  /** The client was shut down, so nobody renews the lease any more. */
  | 'closed'

/** A permit was lost while it was held: from here on somebody else may have it. */
export class PermitLostError extends RedissonError {
  override readonly name = 'PermitLostError'
  override readonly code = 'PERMIT_LOST'
  /** The name of the semaphore. */
  readonly semaphore: string
  /** The permit. */
  readonly id: string
  /** Why it was lost. */
  readonly reason: PermitLossReason

  constructor(facts: { readonly semaphore: string; readonly id: string; readonly reason: PermitLossReason }) {
    super(`Permit ${facts.id} of semaphore ${facts.semaphore} was lost: ${explanations[facts.reason]}`)
    this.semaphore = facts.semaphore
    this.id = facts.id
    this.reason = facts.reason
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

/** More permits were asked for than the rate limiter ever grants at once. */
export class RateTooLowError extends RedissonError {
  override readonly name = 'RateTooLowError'
  override readonly code = 'RATE_TOO_LOW'
  /** The name of the rate limiter. */
  readonly limiter: string
  /** How many permits were asked for. */
  readonly permits: number

  constructor(limiter: string, permits: number, options?: ErrorOptions) {
    super(`Rate limiter ${limiter} never grants ${permits} permits at once: its rate is lower`, options)
    this.limiter = limiter
    this.permits = permits
  }
}
