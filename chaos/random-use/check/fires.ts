import type { Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'
import { grantsOf } from './grants.js'
import { Kills } from './kills.js'

/** Looks for fires for which two have run: the second in the time of the first's mark, and before the first had failed, or its process had been killed. */
export function checkFires(entries: readonly Entry[], { resources, intervalsMs }: Conditions): Breach[] {
  const names = new Set(resources.flatMap(({ name, rules }) => (rules === 'once' ? [name] : [])))
  const kills = new Kills(entries)
  const about = Map.groupBy(partOf(entries, names), ({ name }) => name)
  return [...about].flatMap(([name, part]) => {
    const own = part.map(({ entry }) => entry)
    const runs = grantsOf(own, name).map((run) => ({
      ...run,
      untilMs: Math.min(
        run.fromMs + (intervalsMs.get(name) ?? 0),
        gaveUpAt(own, run.begin.hold),
        kills.at(run.begin.process),
      ),
    }))
    return runs.flatMap((first) => {
      const second = runs.find((run) => run !== first && run.toMs > first.toMs && run.toMs < first.untilMs)
      if (second === undefined) return []
      const whoOf = ({ begin }: typeof first) => `${begin.process}/${String(begin.flow)}`
      const what = `${name}: ${whoOf(second)} has run ${(second.toMs - first.toMs).toFixed(1)} ms after ${whoOf(first)}`
      return [{ kind: 'once', what, entries: [first.begin, second.begin] }]
    })
  })
}

/** What concerns some names. */
function partOf(entries: readonly Entry[], names: ReadonlySet<string>) {
  const begun = new Map<string, string>()
  return entries.flatMap((entry) => {
    if (entry.type === 'begin' && names.has(entry.name)) begun.set(entry.id, entry.name)
    const name = entry.type === 'begin' || entry.type === 'end' ? begun.get(entry.id) : undefined
    return name === undefined ? [] : [{ name, entry }]
  })
}

function gaveUpAt(entries: readonly Entry[], hold: string): number {
  const release = entries.find(
    (entry) => entry.type === 'begin' && entry.op === 'release' && entry.hold === hold,
  )
  return release?.type === 'begin' ? release.at : Infinity
}
