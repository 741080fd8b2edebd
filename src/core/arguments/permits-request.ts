import { patienceOf, wholeNumber, type Patience, type WaitingOptions } from './arguments.js'
import { demandNoNumber, demandOptions, type Known } from './options.js'

/** How many permits a caller wants, and for how long it is ready to wait, checked. */
export interface PermitsRequest extends Patience {
  readonly permits: number
}

interface PermitsOptions extends WaitingOptions {
  readonly permits?: number | undefined
}

/** How a method reads its request. */
interface Reading {
  /** The options that it knows. */
  readonly call: Known
  /** How few permits may be asked for. */
  readonly least: number
  readonly defaultWaitMs: number
}

/** How many permits are released: one by default. */
export function releasedPermits(permits = 1): number {
  return wholeNumber('permits', permits, 0)
}

/** Reads a request for permits, one by default: a number of them, along with a time to wait where there is one, or options. */
export function permitsRequest(
  options: number | PermitsOptions = 1,
  waitMs: number | undefined,
  { call, least, defaultWaitMs }: Reading,
): PermitsRequest {
  if (typeof options !== 'number') demandNoNumber(waitMs)
  const given: PermitsOptions =
    typeof options === 'number' ? { permits: options, ...(waitMs !== undefined && { waitMs }) } : options
  demandOptions(given, call)
  const { permits = 1 } = given
  return { ...patienceOf(given, defaultWaitMs), permits: wholeNumber('permits', permits, least) }
}
