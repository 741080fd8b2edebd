import type { Keeping } from './settings.js'

/** One way to keep prices: the fourth act. */
export interface PriceStep {
  readonly name: Keeping
  readonly keeping: Keeping
  /** What the team believes before. */
  readonly belief: string
  /** What it knows afterwards. */
  readonly lesson: string
  /** Whether customers are shown prices that have changed. */
  readonly showsOld: boolean
}

export const priceSteps: readonly PriceStep[] = [
  {
    name: 'own-caches',
    keeping: 'own-caches',
    belief: 'Each process keeps prices in its memory, for a second.',
    lesson:
      'No process hears of a change: customers were shown old prices, and each process has loaded each price.',
    showsOld: true,
  },
  {
    name: 'one-cache',
    keeping: 'one-cache',
    belief: 'RCache: one process loads, all others hear of changes, and memory serves most.',
    lesson:
      'No price was shown for longer than a message takes, once its change was confirmed, and each change was loaded about once.',
    showsOld: false,
  },
]
