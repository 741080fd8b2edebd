import type { GcraLimit, ResolvedGcraLimit } from '../gcra-rate-limiter/gcra-rate-limiter.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort } from '../../util/inspect-short.js'

/** A limit, checked, and in the parts of the algorithm: see `levels.lua`. */
export interface Limit extends ResolvedGcraLimit {
  /** How many microseconds a tick has. Each tick drains as many parts as `limit` says. */
  readonly tickUs: number
  /** How many parts a cell has: as many as the interval has ticks. */
  readonly cell: number
}

const LIMIT = known<GcraLimit>({ limit: true, perMs: true, burst: true })

/** Longer intervals are counted in milliseconds. */
const LONGEST_IN_MICROSECONDS_MS = 3_600_000

/**
 * Reads the limits of one limiter, in their order.
 *
 * @param name - what the program calls them
 * @throws `TypeError` for what is no limit, and `RangeError` for numbers that the algorithm cannot count exactly, and for two limits with one interval
 */
export function limitsOf(given: GcraLimit | readonly GcraLimit[], name = 'limits'): readonly Limit[] {
  const isList = Array.isArray(given)
  const list = isList ? Array.from(given as readonly GcraLimit[]) : [given as GcraLimit] // without holes
  const limits = list.map((each) => limitOf(each, isList ? `each of \`${name}\`` : `\`${name}\``))
  if (limits.length === 0) throw new RangeError(`Expected \`${name}\` to have at least one limit, got none`)
  const twice = limits.find(({ perMs }, index) =>
    limits.some((other, at) => at > index && other.perMs === perMs),
  )
  if (twice === undefined) return limits
  throw new RangeError(
    `Expected \`${name}\` to have one limit for each interval, got two for ${twice.perMs} ms`,
  )
}

function limitOf(given: GcraLimit, what: string): Limit {
  demandOptions(given, LIMIT, what)
  const perMs = wholeNumber('perMs', given.perMs, 1)
  const limit = wholeNumber('limit', given.limit, 1)
  const burst = given.burst === undefined ? limit : wholeNumber('burst', given.burst, 1)
  const tickUs = perMs > LONGEST_IN_MICROSECONDS_MS ? 1000 : 1
  const cell = tickUs === 1 ? perMs * 1000 : perMs
  demandAtMost('limit', limit, cell, perMs)
  demandAtMost('burst', burst, Math.floor(Number.MAX_SAFE_INTEGER / cell), perMs)
  return { limit, perMs, burst, tickUs, cell }
}

function demandAtMost(name: string, value: number, most: number, perMs: number): void {
  if (value > most)
    throw new RangeError(
      `Expected \`${name}\` to be at most ${most} with an interval of ${perMs} ms, got ${inspectShort(value)}`,
    )
}

/** As the scripts take them. */
export function asArguments(limits: readonly Limit[]): readonly number[] {
  return limits.flatMap(({ limit, perMs, burst }) => [limit, perMs, burst])
}

/** The most that a request may ask for, and what bounds it. */
export interface Bound {
  readonly most: number
  readonly what: string
}

/** How many cells a request may cost by each of the limits. */
export function boundsOf(limits: readonly Limit[]): readonly Bound[] {
  return limits.map(({ limit, perMs, burst }) => ({
    most: burst,
    what: `the burst of the limit of ${limit} in ${perMs} ms`,
  }))
}

/** The lowest bound; of equal ones the first. */
export function lowestOf(bounds: readonly Bound[]): Bound {
  return bounds.reduce((lowest, each) => (each.most < lowest.most ? each : lowest))
}

/** Reads a number of cells or places, and refuses one that would never pass. */
export function withinBound(name: string, given: number, { most, what }: Bound): number {
  if (wholeNumber(name, given, 1) <= most) return given
  throw new RangeError(`Expected \`${name}\` to be at most ${most}, ${what}, got ${given}`)
}

/** As the program has it. */
export function shown({ limit, perMs, burst }: Limit): ResolvedGcraLimit {
  return { limit, perMs, burst }
}
