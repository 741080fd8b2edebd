/** How numbers of one kind are summed up in this process. */
export interface Sums<V, S> {
  readonly zero: S
  /** Undefined where the sum would be too large. */
  readonly plus: (sum: S, value: V) => S | undefined
  /** Takes off what was added before. */
  readonly minus: (sum: S, other: S) => S
  /** The sum in decimal digits, as Redis reads it. */
  readonly text: (sum: S) => string
  /** What the sum would be too large for. */
  readonly limit: string
}

/** Integers of 64 bits. */
export const integers: Sums<bigint, bigint> = {
  zero: 0n,
  plus: (sum, value) => (BigInt.asIntN(64, sum + value) === sum + value ? sum + value : undefined),
  minus: (sum, other) => sum - other,
  text: String,
  limit: 'it would have more than 64 bits',
}

/**
 * Numbers with a fraction, as several numbers whose digits do not overlap, the smallest first. Together they are the exact sum (Shewchuk 1997), so
 * that taking something off leaves exactly the rest: 10²⁰ + 1 − 10²⁰ is 1.
 */
export type Partials = readonly number[]

/**
 * Makes the sums of numbers with a fraction.
 *
 * @param text - writes a number in decimal digits
 */
export function fractions(text: (value: number) => string): Sums<number, Partials> {
  return {
    zero: [],
    plus: (sum, value) => {
      const partials = added(sum, value)
      return partials.every(Number.isFinite) && Number.isFinite(rounded(partials)) ? partials : undefined
    },
    minus: (sum, other) => other.reduce((left, partial) => added(left, -partial), sum),
    text: (sum) => text(rounded(sum)),
    limit: 'it would be no finite number',
  }
}

/** Each step keeps what the rounding of the step before it has cut off. */
function added(sum: Partials, value: number): Partials {
  const partials: number[] = []
  let high = value
  for (const partial of sum) {
    const [large, small] = Math.abs(high) < Math.abs(partial) ? [partial, high] : [high, partial]
    high = large + small
    const cutOff = small - (high - large)
    if (cutOff !== 0) partials.push(cutOff)
  }
  if (high !== 0) partials.push(high)
  return partials
}

/**
 * Rounds a sum once. The first addition that cuts something off is the last that changes anything, unless it stood exactly between two
 * numbers: then the sign of what is smaller still decides.
 */
function rounded(partials: Partials): number {
  let at = partials.length - 1
  let sum = partials[at] ?? 0
  let cutOff = 0
  while (at > 0 && cutOff === 0) {
    at -= 1
    const small = partials[at] ?? 0
    const large = sum
    sum = large + small
    cutOff = small - (sum - large)
  }
  const below = partials[at - 1] ?? 0
  const further = sum + cutOff * 2
  const wasBetween = further - sum === cutOff * 2
  return Math.sign(below) * Math.sign(cutOff) > 0 && wasBetween ? further : sum
}
