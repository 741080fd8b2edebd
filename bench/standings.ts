import type { Contender } from './contenders/contender.js'
import type { Figures, Outcome, Workload } from './workloads/workload.js'

/** What came of one contender in one round; or why nothing did. */
export type Result = Outcome | { readonly failure: string }

/** A contender's result, and the one of this library that was measured right after it. */
export interface Pair {
  readonly theirs: Result
  readonly ours: Result
}

/** One contender at one workload, over all rounds. */
export interface Row {
  readonly contender: Contender
  readonly results: readonly Result[]
  /** Medians; undefined where nothing came of it. */
  readonly figures: Figures | undefined
  /** How much it has of the ranking figure for each of ours: the median of pairs. */
  readonly toOurs: number | undefined
}

/** What came of a workload. */
export class Standings {
  readonly workload: Workload
  readonly ours: Row
  readonly floor: Row | undefined
  readonly peers: readonly Row[]

  constructor(
    workload: Workload,
    ours: Contender,
    {
      alone,
      pairs,
    }: { readonly alone: readonly Result[]; readonly pairs: ReadonlyMap<Contender, readonly Pair[]> },
  ) {
    const ourResults = [...alone, ...[...pairs.values()].flat().map((pair) => pair.ours)]
    const rows = [...pairs].map(([contender, between]) => this.#row(workload, contender, between))
    this.workload = workload
    this.ours = { contender: ours, results: ourResults, figures: medians(ourResults), toOurs: 1 }
    this.floor = rows.find(({ contender }) => contender === workload.floor)
    this.peers = rows.filter((row) => row !== this.floor)
  }

  /** All of them, this library after the floor. */
  get rows(): readonly Row[] {
    return [...(this.floor ? [this.floor] : []), this.ours, ...this.peers]
  }

  /** How much a row has of the ranking figure for each of the floor's. */
  toFloor(row: Row): number | undefined {
    const floorToOurs = this.floor?.toOurs
    return floorToOurs === undefined || row.toOurs === undefined ? undefined : row.toOurs / floorToOurs
  }

  /** The peer that has most of the ranking figure, or least where that is better. Those that lost something do not count. */
  bestPeer(admit: (row: Row) => boolean = () => true): Row | undefined {
    const sign = this.workload.ranking.better === 'higher' ? -1 : 1
    const sound = this.peers.filter((row) => row.toOurs !== undefined && lostBy(row) === 0 && admit(row))
    return sound.toSorted((a, b) => sign * ((a.toOurs ?? NaN) - (b.toOurs ?? NaN)))[0]
  }

  #row(workload: Workload, contender: Contender, pairs: readonly Pair[]): Row {
    const results = pairs.map(({ theirs }) => theirs)
    const { key } = workload.ranking
    const ratios = pairs.flatMap(({ theirs, ours }) =>
      'failure' in theirs || 'failure' in ours
        ? []
        : [(theirs.figures[key] ?? NaN) / (ours.figures[key] ?? NaN)],
    )
    const toOurs = ratios.length === 0 ? undefined : median(ratios)
    return { contender, results, figures: medians(results), toOurs }
  }
}

/** How many sections, or permits, went wrong in all rounds. */
export function lostBy(row: Row): number {
  return row.results.reduce((sum, result) => sum + ('failure' in result ? 0 : result.lost), 0)
}

/** Why nothing came of some round. */
export function failureOf(row: Row): string | undefined {
  return row.results.flatMap((result) => ('failure' in result ? [result.failure] : []))[0]
}

function medians(results: readonly Result[]): Figures | undefined {
  const sets = results.flatMap((result) => ('failure' in result ? [] : [result.figures]))
  const [first] = sets
  if (first === undefined) return undefined
  return Object.fromEntries(
    Object.keys(first).map((key) => [key, median(sets.map((figures) => figures[key] ?? NaN))]),
  )
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
