/** A set of numbers: the one in the middle, and those that a quarter of them do not reach or exceed. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** The median and the quartiles; undefined for no numbers. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  if (numbers.length === 0) return undefined
  const sorted = numbers.toSorted((a, b) => a - b)
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) }
}

/** That of the inverse numbers. */
export function inverse({ low, median, high }: Spread): Spread {
  return { low: 1 / high, median: 1 / median, high: 1 / low }
}

/** The median, and between what the middle half of the numbers lies. */
export function spreadText({ low, median, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
}

/** Between two numbers, what lies between them in proportion. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}
