import type {
  CountIntersectionOptions,
  PollOptions,
  ScoredSetScanOptions,
  TakeOptions,
} from './scored-sorted-set.api.js'
import { patienceOf, wholeNumber, type Patience } from '../../core/arguments/arguments.js'
import { demandNoMore, demandOptions, known } from '../../core/arguments/options.js'
import { checkedScan, MOST_ENTRIES, type ScanSettings } from '../../core/arguments/scan-settings.js'

const SCAN = known<ScoredSetScanOptions>({ pattern: true, count: true, onInvalid: true, signal: true })
const POLL = known<PollOptions>({ waitMs: true, signal: true })
const TAKE = known<TakeOptions>({ signal: true })
const COUNT_INTERSECTION = known<CountIntersectionOptions>({ limit: true })

/** What Redis takes for no limit. */
const UNLIMITED = 0

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function scanSettings(options: ScoredSetScanOptions = {}): ScanSettings {
  demandOptions(options, SCAN)
  return checkedScan(options)
}

/** How long a poll waits; undefined where it does not. */
export function pollPatience(options: PollOptions): Patience | undefined {
  demandOptions(options, POLL)
  const patience = patienceOf(options, 0)
  return patience.waitMs > 0 ? patience : undefined
}

/** How a take waits: without an end of its own. */
export function takePatience(options: TakeOptions): Patience {
  demandOptions(options, TAKE)
  return patienceOf(options, Infinity)
}

/** How many values one poll may remove. */
export function pollCount(count: number): number {
  if (wholeNumber('count', count, 0) <= MOST_ENTRIES) return count
  throw new RangeError(`Expected \`count\` to be ${String(MOST_ENTRIES)} or less, got ${String(count)}`)
}

/** What a poll was given. */
export interface PollRequest {
  /** Undefined for one value. */
  readonly count: number | undefined
  readonly options: PollOptions
}

/** Reads the arguments of a poll: a count, options, both or neither. */
export function pollRequest(given: readonly unknown[]): PollRequest {
  const [first, second, surplus] = given
  if (typeof first === 'number') {
    demandNoMore(surplus)
    return { count: pollCount(first), options: second === undefined ? {} : (second as PollOptions) }
  }
  demandNoMore(second, 'a count comes first')
  return { count: undefined, options: first === undefined ? {} : (first as PollOptions) }
}

/** @throws `TypeError` or `RangeError` for options that are unknown or wrong */
export function countLimit(options: CountIntersectionOptions): number {
  demandOptions(options, COUNT_INTERSECTION)
  return options.limit === undefined ? UNLIMITED : wholeNumber('limit', options.limit, 1)
}
