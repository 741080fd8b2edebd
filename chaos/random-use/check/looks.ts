import type { Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'

/** Looks for holds that said they were held when Redis did not know them. */
export function checkLooks(entries: readonly Entry[], { forced }: Conditions): Breach[] {
  const acquisitions = new Map(
    entries.flatMap((entry) =>
      entry.type === 'begin' && entry.op === 'acquire' ? [[entry.hold, entry] as const] : [],
    ),
  )
  return entries.flatMap((entry) => {
    if (entry.type !== 'look' || entry.found >= entry.claimed) return []
    const acquisition = acquisitions.get(entry.hold)
    if (acquisition === undefined || forced.has(acquisition.name)) return []
    const owner = `${acquisition.process}/${String(acquisition.flow)}`
    const what = `${acquisition.name}: ${owner} claims ${String(entry.claimed)}, Redis has ${String(entry.found)}`
    return [{ kind: 'claim', what, entries: [acquisition, entry] }]
  })
}
