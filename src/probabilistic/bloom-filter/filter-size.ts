import { wholeNumber } from '../../core/arguments/arguments.js'
import { inspectShort } from '../../util/inspect-short.js'

/** How many bits a filter has, and how many of them each value sets. */
export interface FilterSize {
  readonly bits: number
  readonly iterations: number
}

/** The most that Redisson allows: twice the largest integer of Java. */
const MOST_BITS = 2 ** 32 - 2

/**
 * Hashes have 128 bits, so that no filter is wrong less often. Redisson takes any probability, and has each value set up to 1074 bits: a request about a
 * thousand values would keep Redis busy for a second.
 */
const LEAST_PROBABILITY = 2 ** -128

/**
 * The size that suits a number of values, by the formulas of Redisson, whose order of operations decides the last bit:
 * bits = −n · ln p / (ln 2)², and bits / n · ln 2 of them for each value.
 *
 * @throws RangeError for numbers that are out of range, and for a filter that would be too small or too large
 */
export function filterSizeFor(expectedInsertions: number, falseProbability: number): FilterSize {
  const count = wholeNumber('expectedInsertions', expectedInsertions, 1)
  const bits = bitsFor(count, probability(falseProbability))
  return { bits, iterations: Math.max(1, Math.round((bits / count) * Math.LN2)) }
}

function bitsFor(count: number, p: number): number {
  const bits = Math.trunc((-count * Math.log(p)) / (Math.LN2 * Math.LN2))
  if (bits >= 1 && bits <= MOST_BITS) return bits
  const limit = bits < 1 ? 'one bit at least' : `${String(MOST_BITS)} bits at most`
  throw new RangeError(
    `Expected \`expectedInsertions\` and \`falseProbability\` to make ${limit}, got ${String(count)} and ${String(p)}, which make ${String(bits)}`,
  )
}

function probability(value: number): number {
  if (typeof value === 'number' && value >= LEAST_PROBABILITY && value < 1) return value
  throw new RangeError(
    `Expected \`falseProbability\` to be a number between 0 and 1, and 2⁻¹²⁸ at least, got ${inspectShort(value)}`,
  )
}
