import type { Contender } from './contenders/contender.js'
import type { Figures, Result } from './outcome.js'
import type { Spread } from './spread.js'

/** One contender at one workload, over all rounds. */
export interface Row {
  readonly contender: Contender
  readonly results: readonly Result[]
  /** Medians; undefined without a result. */
  readonly figures: Figures | undefined
  /** How much it has of the ranking figure for each of ours, over all pairs. */
  readonly toOurs: Spread | undefined
  /** The same of any figure. */
  readonly toOursIn: (key: string) => Spread | undefined
}

/** What targets are judged by: this library, and what it was measured with. */
export interface Comparison {
  readonly ours: Row
  readonly floor: Row | undefined
  readonly references: readonly Row[]
  /** How much a row has of a figure for each of the floor's; of the ranking figure, unless another is named. */
  toFloor(row: Row, key?: string): number | undefined
  /** The peer that has most of the ranking figure, or least where that is better. Those that lost something do not count. */
  bestPeer(admit?: (row: Row) => boolean): Row | undefined
}
