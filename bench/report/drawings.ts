import type { Row } from '../comparison.js'
import type { Standings } from '../standings.js'
import { bars } from './bars.js'
import { curves } from './curves.js'

/** A picture, and the name of its file. */
export interface Drawing {
  readonly name: string
  readonly svg: string
}

/** Throughput as bars where that is what counts, and how waits are distributed where there are many. */
export function drawings(standings: readonly Standings[]): readonly Drawing[] {
  return standings.flatMap((each) => [
    ...(each.workload.ranking.key === 'perSecond' ? [throughputOf(each)] : []),
    ...(each.workload.waits === 'drawn' ? [waitsOf(each)] : []),
  ])
}

function throughputOf({ rows, workload }: Standings): Drawing {
  const measured = rows.flatMap(({ contender, figures }) =>
    figures === undefined ? [] : [{ name: contender.name, value: figures['perSecond'] ?? NaN }],
  )
  return { name: `throughput-${workload.name}`, svg: bars(`${workload.name}: sections per second`, measured) }
}

function waitsOf({ rows, workload }: Standings): Drawing {
  const measured = rows
    .map((row) => ({ name: row.contender.name, values: waitsMsOf(row) }))
    .filter(({ values }) => values.length > 0)
  return {
    name: `waits-${workload.name}`,
    svg: curves(`${workload.name}: share of waits that ended within a time in ms`, measured),
  }
}

function waitsMsOf({ results }: Row): readonly number[] {
  return results.flatMap((result) => ('failure' in result ? [] : result.waitsMs))
}
