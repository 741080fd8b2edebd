import type { Amount, Expectation } from './steps.js'

/** How often an item was sold. */
export type Sales = readonly [item: string, sold: number]

/** The number of items for sale. */
export const ITEMS = 100

/** The result of a step, in numbers. */
export interface Outcome {
  /** Orders that are in the books. */
  readonly sold: number
  readonly stockLeft: number
  /** Buyers who never got a response. */
  readonly stuck: number
  /** Buyers who got an error. */
  readonly failed: number
  readonly wrongReleases: number
  /** Releases that were refused, because the lock had another owner by then. */
  readonly lateReleases: number
  readonly twoInside: number
  /** Milliseconds until the lock ends by itself, as Redis says: -1 for never, -2 if it is free. */
  readonly lockEndsInMs: number
  /** What was sold, the best-selling items first, as the shops without a lock have counted; undefined with one. */
  readonly sales: readonly Sales[] | undefined
  readonly tookMs: number
}

/** Items that were sold and never existed. */
export function oversold({ sold }: Outcome): number {
  return Math.max(0, sold - ITEMS)
}

/** Where a step did not behave as it should; empty if it did. */
export function deviations(outcome: Outcome, expected: Expectation): readonly string[] {
  const { sold, stockLeft, stuck, wrongReleases, twoInside, failed } = outcome
  return [
    ...(expected.sold === 'all'
      ? [unlessEqual('sold', ITEMS, sold), unlessEqual('stock left', 0, stockLeft)]
      : []),
    unless('oversold', expected.oversold, oversold(outcome)),
    unless('stuck', expected.stuck, stuck),
    unless('wrong releases', expected.wrongReleases, wrongReleases),
    unless('two inside', expected.twoInside, twoInside),
    unlessEqual('errors', 0, failed),
    ...(outcome.sales === undefined ? [] : lostCounts(outcome, outcome.sales)),
  ].filter((deviation) => deviation !== undefined)
}

/** Where shops without a lock have lost count: each of their numbers is changed by one step of Redis. */
function lostCounts({ sold, stockLeft }: Outcome, sales: readonly Sales[]): readonly (string | undefined)[] {
  const counted = sales.reduce((sum, [, count]) => sum + count, 0)
  return [unlessEqual('stock taken', sold, ITEMS - stockLeft), unlessEqual('items counted', sold, counted)]
}

function unless(what: string, expected: Amount, actual: number): string | undefined {
  switch (expected) {
    case 'none':
      return unlessEqual(what, 0, actual)
    case 'some':
      return actual > 0 ? undefined : `expected ${what} to be more than 0`
    case 'any':
      return undefined
  }
}

function unlessEqual(what: string, expected: number, actual: number): string | undefined {
  return actual === expected ? undefined : `expected ${what} to be ${String(expected)}, got ${String(actual)}`
}
