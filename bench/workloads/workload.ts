import type { Cell, Client } from '../cell.js'
import type { Comparison } from '../comparison.js'
import type { Contender, Kind, NodeContender, ValueKind } from '../contenders/contender.js'
import type { Outcome } from '../outcome.js'

/** A figure, and how it is shown. */
export interface Column {
  readonly key: string
  readonly title: string
  readonly digits: number
  /**
   * Whether its ratio to the floor is shown beside it.
   *
   * @defaultValue 'alone'
   */
  readonly shown?: 'with its ratio' | 'alone'
}

/** One of several things that a workload measures in the same process. */
export interface Measurement {
  /** Measures for this time. */
  run(client: Client, forMs: number): Promise<Outcome>
}

/** What the library is to reach. */
export interface Target {
  readonly says: string
  /** The result against its target; undefined where there is no contender to compare with. */
  of(comparison: Comparison): Verdict | undefined
}

export interface Verdict {
  /** Whether it was reached; absent where it is only reported. */
  readonly met?: boolean
  readonly got: string
}

/** What contenders are measured by. */
export interface Workload {
  readonly name: string
  readonly title: string
  /** What is taken or called, so that only those are asked who have it. */
  readonly kind: Kind | ValueKind
  /** The least that it can cost; none where there is nothing to compare with. */
  readonly floor?: Contender
  /** What it is compared with besides the peers: a bound, or this library at something else. */
  readonly references?: readonly NodeContender[]
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
  /**
   * What is measured one after the other in one process. The contenders of a pair share the process then, if both are of Node and {@link Workload.ownProcesses} does not say otherwise,
   * and take turns at each measurement, several times in a round: so a ratio is that of two moments, and not of two processes.
   *
   * @defaultValue a pair is measured one after the other, each by {@link Workload.run}
   */
  readonly measurements?: readonly Measurement[]
  /**
   * Whether each of a pair that takes turns has a process of its own, as where each leaves much garbage: in one process, one would wait while that
   * of the other is collected.
   *
   * @defaultValue false
   */
  readonly ownProcesses?: boolean
  run(cell: Cell): Promise<Outcome>
}
