import type { Results } from '../results.js'
import type { Task } from '../options.js'
import { versionOf } from '../peers/install-peers.js'
import { failureOf, lostBy } from '../standings.js'

/** All results of a run, for programs. */
export function asJson({ standings, shop, costs }: Results, { sizes }: Task): object {
  return {
    node: process.version,
    sizes,
    workloads: standings.map((each) => ({
      name: each.workload.name,
      title: each.workload.title,
      contenders: each.rows.map((row) => ({
        name: row.contender.name,
        version: row.contender.packageName && versionOf(row.contender.packageName),
        cannot: row.results.length === 0 ? row.contender.cannot[each.workload.kind] : undefined,
        figures: row.figures,
        toFloor: each.toFloor(row),
        toOurs: row.toOurs,
        toOursIn: Object.fromEntries(
          each.workload.columns
            .filter(({ shown }) => shown === 'with its ratio')
            .map(({ key }) => [key, row.toOursIn(key)]),
        ),
        lost: lostBy(row),
        failure: failureOf(row),
        rounds: row.results.map((result) =>
          'failure' in result ? result : { figures: result.figures, lost: result.lost },
        ),
      })),
      targets: each.workload.targets.map((target) => ({ says: target.says, ...target.of(each) })),
    })),
    shop,
    costs,
  }
}
