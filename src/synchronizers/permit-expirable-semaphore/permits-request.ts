import type {
  PermitHoldOptions,
  PermitOptions,
  TryPermitHoldOptions,
  TryPermitOptions,
  WithPermitHoldOptions,
} from './permit-expirable-semaphore.api.js'
import {
  leaseOf,
  patienceOf,
  releaseWaitOf,
  wholeNumber,
  type Patience,
} from '../../core/arguments/arguments.js'
import type { WatchedHold } from '../../core/holds/hold-watch.js'
import { demandNoNumber, demandOptions, known, type Known } from '../../core/arguments/options.js'

/** What a caller asks of a semaphore, checked. */
export interface PermitsRequest extends Patience {
  readonly permits: number
  /** Milliseconds; undefined where it is not set. */
  readonly leaseMs: number | undefined
  /** How long the release is waited for at the end, in milliseconds; undefined where the client says. */
  readonly releaseWaitMs?: number | undefined
  /** Reports what is acquired if it is forgotten. */
  readonly watched?: WatchedHold
}

const shortForm = 'a number of milliseconds'

const elsewhere = { waitMs: 'withPermit() and the methods that begin with `try`' }

const ACQUIRE = known<PermitOptions>({ leaseMs: true, signal: true }, { shortForm, elsewhere })

const ACQUIRE_MANY = known<PermitOptions & PermitHoldOptions>({ leaseMs: true, signal: true }, { elsewhere })

const TRY_ACQUIRE = known<TryPermitOptions>({ waitMs: true, leaseMs: true, signal: true }, { shortForm })

const WITH_WAIT = known<TryPermitOptions & TryPermitHoldOptions>({
  waitMs: true,
  leaseMs: true,
  signal: true,
})

const WITH_PERMIT = known<WithPermitHoldOptions>({
  waitMs: true,
  leaseMs: true,
  signal: true,
  releaseWaitMs: true,
})

/** Redis can do nothing else while it lends them. */
const MOST_AT_ONCE = 100_000

/** Reads what `acquire` takes: it waits as long as it takes, by default. */
export function acquireRequest(semaphore: string, options: number | PermitOptions = {}): PermitsRequest {
  const given = typeof options === 'number' ? { leaseMs: options } : options
  return checked(semaphore, 1, given, ACQUIRE, Infinity)
}

/** Reads what `acquireMany` and `acquirePermit` take: they wait as long as it takes. */
export function acquireManyRequest(
  semaphore: string,
  permits: number,
  options: PermitOptions = {},
): PermitsRequest {
  return checked(semaphore, permits, options, ACQUIRE_MANY, Infinity)
}

/** Reads what `tryAcquire` takes: it tries once, by default. */
export function tryAcquireRequest(
  semaphore: string,
  options: number | TryPermitOptions = 0,
  leaseMs: number | undefined,
): PermitsRequest {
  if (typeof options !== 'number') demandNoNumber(leaseMs)
  const given =
    typeof options === 'number' ? { waitMs: options, ...(leaseMs !== undefined && { leaseMs }) } : options
  return checked(semaphore, 1, given, TRY_ACQUIRE, 0)
}

/** Reads what `tryAcquireMany` and `tryAcquirePermit` take: they try once, by default. */
export function tryAcquireManyRequest(
  semaphore: string,
  permits: number,
  options: TryPermitOptions = {},
): PermitsRequest {
  return checked(semaphore, permits, options, WITH_WAIT, 0)
}

/** Reads what `withPermit` takes: it waits as long as it takes, by default. */
export function withPermitRequest(semaphore: string, options: WithPermitHoldOptions = {}): PermitsRequest {
  const request = checked(semaphore, 1, options, WITH_PERMIT, Infinity)
  return { ...request, releaseWaitMs: releaseWaitOf(options) }
}

function checked(
  semaphore: string,
  permits: number,
  options: TryPermitOptions,
  call: Known,
  defaultWaitMs: number,
): PermitsRequest {
  demandOptions(options, call)
  return {
    ...patienceOf(options, defaultWaitMs),
    permits: someAtOnce(permits),
    leaseMs: leaseOf(options, semaphore),
  }
}

function someAtOnce(permits: number): number {
  if (wholeNumber('permits', permits, 1) <= MOST_AT_ONCE) return permits
  throw new RangeError(`Expected \`permits\` to be at most ${String(MOST_AT_ONCE)}, got ${String(permits)}`)
}
