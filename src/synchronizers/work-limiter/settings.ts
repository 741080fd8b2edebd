import type { WorkLimiterSettings, WorkOptions } from './work-limiter.api.js'
import { patienceOf, wholeNumber, type Patience } from '../../core/arguments/arguments.js'
import { demandOptions, known, optionsOf } from '../../core/arguments/options.js'
import type { WatchedHold } from '../../core/holds/hold-watch.js'
import { asArguments, boundsOf, limitsOf, lowestOf, withinBound, type Bound } from '../shared/limits.js'

const SETTINGS = known<WorkLimiterSettings>(
  { concurrency: true, rate: true, maxQueued: true },
  { elsewhere: { priority: 'run()', weight: 'run()', waitMs: 'run()', signal: 'run()' } },
)

const RUN = known<WorkOptions>(
  { priority: true, weight: true, waitMs: true, signal: true },
  { elsewhere: { concurrency: 'getWorkLimiter()', rate: 'getWorkLimiter()', maxQueued: 'getWorkLimiter()' } },
)

const MOST_PLACES = 100_000

const HIGHEST_PRIORITY = 1000

/** What the program has set, checked. */
export interface Settings {
  readonly concurrency: number
  /** As the scripts take them; empty for none. */
  readonly limits: string
  /** The largest weight of a function. */
  readonly mostWeight: Bound
  readonly maxQueued: number
}

/** A function that shall run. */
export interface WorkRequest extends Patience {
  readonly settings: Settings
  readonly priority: number
  readonly weight: number
  /** Reports a function that runs for too long. */
  readonly watched: WatchedHold | undefined
}

/** @throws `TypeError` or `RangeError` for settings that are none */
export function settingsOf(given: WorkLimiterSettings): Settings {
  demandOptions(given, SETTINGS)
  const { rate, maxQueued } = given
  const concurrency = wholeNumber('concurrency', given.concurrency, 1)
  if (concurrency > MOST_PLACES)
    throw new RangeError(`Expected \`concurrency\` to be at most ${MOST_PLACES}, got ${concurrency}`)
  const limits = rate === undefined ? [] : limitsOf(rate, 'rate')
  return {
    concurrency,
    limits: asArguments(limits).join(' '),
    mostWeight: lowestOf([{ most: concurrency, what: 'the concurrency' }, ...boundsOf(limits)]),
    maxQueued: maxQueued === undefined ? Infinity : wholeNumber('maxQueued', maxQueued, 1),
  }
}

/** @throws `TypeError` or `RangeError` for options that are none */
export function requestOf(
  settings: Settings,
  options: WorkOptions | undefined,
  watched: WatchedHold | undefined,
): WorkRequest {
  const given = optionsOf<WorkOptions>(options, RUN)
  const { priority, weight = 1 } = given
  withinBound('weight', weight, settings.mostWeight)
  return { ...patienceOf(given, Infinity), settings, priority: priorityOf(priority), weight, watched }
}

function priorityOf(priority = 0): number {
  if (Math.abs(wholeNumber('priority', priority)) <= HIGHEST_PRIORITY) return priority === 0 ? 0 : priority
  throw new RangeError(
    `Expected \`priority\` to be from -${HIGHEST_PRIORITY} to ${HIGHEST_PRIORITY}, got ${priority}`,
  )
}
/** For how long ahead cells are reserved at most, so that no cell is lost while messages and requests are under way. */
export const AHEAD_MS = 200
