import type { Cell } from '../cell.js'
import type { Contender, Kind } from '../contenders/contender.js'
import type { Standings } from '../standings.js'

/** Numbers by name. */
export type Figures = Readonly<Record<string, number>>

/** What came of one contender at one workload, once. */
export interface Outcome {
  readonly figures: Figures
  /** Sections that two did at the same time, and that are missing in the count; or permits too many. */
  readonly lost: number
  /** Every single wait, in milliseconds, to be drawn. */
  readonly waitsMs: readonly number[]
}

/** A figure, and how it is shown. */
export interface Column {
  readonly key: string
  readonly title: string
  readonly digits: number
}

/** What the library is to reach. */
export interface Target {
  readonly says: string
  /** What came out, against what was to; undefined where there is nobody to compare with. */
  of(standings: Standings): Verdict | undefined
}

export interface Verdict {
  readonly met: boolean
  readonly got: string
}

/** What contenders are measured by. */
export interface Workload {
  readonly name: string
  readonly title: string
  /** What is taken, so that only those are asked who have it. */
  readonly kind: Kind
  /** The least that it can cost; none where there is nothing to compare with. */
  readonly floor?: Contender
  /**
   * How many servers there are.
   *
   * @defaultValue 1
   */
  readonly masters?: number
  readonly columns: readonly Column[]
  /** The figure that ratios are made of. */
  readonly ranking: { readonly key: string; readonly better: 'higher' | 'lower' }
  readonly targets: readonly Target[]
  /**
   * Whether its waits make a picture.
   *
   * @defaultValue 'left out'
   */
  readonly waits?: 'drawn' | 'left out'
  run(cell: Cell): Promise<Outcome>
}
