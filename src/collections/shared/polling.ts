import type { PollOptions, TakeOptions } from './polling.api.js'
import { patienceOf, wholeNumber, type Patience } from '../../core/arguments/arguments.js'
import { demandNoMore, demandOptions, known } from '../../core/arguments/options.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'

const POLL = known<PollOptions>({ waitMs: true, signal: true })
const TAKE = known<TakeOptions>({ signal: true })

/** How long a poll waits; undefined where it does not. */
export function pollPatience(options: PollOptions): Patience | undefined {
  demandOptions(options, POLL)
  const patience = patienceOf(options, 0)
  patience.signal?.throwIfAborted()
  return patience.waitMs > 0 ? patience : undefined
}

/** How a take waits: without an end of its own. */
export function takePatience(options: TakeOptions): Patience {
  demandOptions(options, TAKE)
  return patienceOf(options, Infinity)
}

/** How many values one poll may remove. */
export function pollCount(count: number, most = MOST_ENTRIES): number {
  if (wholeNumber('count', count, 0) <= most) return count
  throw new RangeError(`Expected \`count\` to be ${String(most)} or less, got ${String(count)}`)
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
