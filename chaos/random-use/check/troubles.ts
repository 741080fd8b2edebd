import type { Entry } from '../../history.js'
import type { Breach } from './breach.js'

/** What processes reported of themselves: unhandled rejections, and flows that do not end. */
export function checkTroubles(entries: readonly Entry[]): Breach[] {
  return entries
    .filter((entry) => entry.type === 'trouble')
    .map((entry) => ({ kind: 'trouble', what: `${entry.where}: ${entry.what}`, entries: [entry] }))
}
