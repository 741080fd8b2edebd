import type { Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'
import { grantsOf } from './grants.js'

/** Redis counts in whole milliseconds, so an interval may be over for it by so much sooner. */
const RESOLUTION_MS = 1

/** Looks for intervals in which a rate limiter granted more than its rate: those that were asked for and granted in it. */
export function checkRates(entries: readonly Entry[], { resources, intervalsMs }: Conditions): Breach[] {
  return resources.flatMap(({ name, rules, permits }) => {
    if (rules !== 'rate') return []
    const grants = grantsOf(entries, name)
    const intervalMs = intervalsMs.get(name) ?? 0
    const crowd = grants
      .map((first) =>
        grants.filter(
          ({ fromMs, toMs }) => fromMs >= first.fromMs && toMs < first.fromMs + intervalMs - RESOLUTION_MS,
        ),
      )
      .find(({ length }) => length > permits)
    if (crowd === undefined) return []
    const what = `${name}: ${String(crowd.length)} in ${String(intervalMs)} ms, the rate is ${String(permits)}`
    return [{ kind: 'rate', what, entries: crowd.map(({ begin }) => begin) }]
  })
}
