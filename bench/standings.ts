import type { Comparison, Row } from './comparison.js'
import type { Contender } from './contenders/contender.js'
import type { Figures, Result } from './outcome.js'
import { spreadOf, type Spread } from './spread.js'
import type { Workload } from './workloads/workload.js'

/** A contender's result, and the one of this library that was measured right after it. */
export interface Pair {
  readonly theirs: Result
  readonly ours: Result
}

/** The result of a workload. */
export class Standings implements Comparison {
  readonly workload: Workload
  readonly ours: Row
  readonly floor: Row | undefined
  readonly references: readonly Row[]
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
    const toOurs = spreadOf([1])
    this.ours = {
      contender: ours,
      results: ourResults,
      figures: medians(ourResults),
      toOurs,
      toOursIn: () => toOurs,
    }
    this.floor = rows.find(({ contender }) => contender === workload.floor)
    this.references = rows.filter(({ contender }) => workload.references?.some((each) => each === contender))
    this.peers = rows.filter((row) => row !== this.floor && !this.references.includes(row))
  }

  /** All of them, this library after what it is compared with besides the peers. */
  get rows(): readonly Row[] {
    return [...(this.floor ? [this.floor] : []), ...this.references, this.ours, ...this.peers]
  }

  toFloor(row: Row, key = this.workload.ranking.key): number | undefined {
    const [theirs, floor] = [row.toOursIn(key), this.floor?.toOursIn(key)]
    return theirs === undefined || floor === undefined ? undefined : theirs.median / floor.median
  }

  bestPeer(admit: (row: Row) => boolean = () => true): Row | undefined {
    const sign = this.workload.ranking.better === 'higher' ? -1 : 1
    const sound = this.peers.filter((row) => row.toOurs !== undefined && lostBy(row) === 0 && admit(row))
    return sound.toSorted((a, b) => sign * ((a.toOurs?.median ?? NaN) - (b.toOurs?.median ?? NaN)))[0]
  }

  #row(workload: Workload, contender: Contender, pairs: readonly Pair[]): Row {
    const results = pairs.map(({ theirs }) => theirs)
    const toOursIn = (key: string): Spread | undefined => ratioIn(key, pairs)
    return {
      contender,
      results,
      figures: medians(results),
      toOurs: toOursIn(workload.ranking.key),
      toOursIn,
    }
  }
}

/** Their figure for each of ours, where both were measured. */
function ratioIn(key: string, pairs: readonly Pair[]): Spread | undefined {
  return spreadOf(
    pairs.flatMap(({ theirs, ours }) => {
      if ('failure' in theirs || 'failure' in ours) return []
      const [figure, our] = [theirs.figures[key], ours.figures[key]]
      return figure === undefined || our === undefined ? [] : [figure / our]
    }),
  )
}

/** How many sections, permits or calls went wrong in all rounds. */
export function lostBy(row: Row): number {
  return row.results.reduce((sum, result) => sum + ('failure' in result ? 0 : result.lost), 0)
}

/** Why some round has no result. */
export function failureOf(row: Row): string | undefined {
  return row.results.flatMap((result) => ('failure' in result ? [result.failure] : []))[0]
}

function medians(results: readonly Result[]): Figures | undefined {
  const sets = results.flatMap((result) => ('failure' in result ? [] : [result.figures]))
  const [first] = sets
  if (first === undefined) return undefined
  return Object.fromEntries(
    Object.keys(first).map((key) => [
      key,
      spreadOf(sets.map((figures) => figures[key] ?? NaN))?.median ?? NaN,
    ]),
  )
}
