import type { Breach, Conditions } from '../../../../chaos/random-use/check.js'
import type { Resource } from '../../../../chaos/random-use/objects.js'
import type { Tale } from '../check/tale.js'

/** A plain lock by the name that tales use. */
export const LOCK: Resource = { name: 'lock', side: 'write', rules: 'rlock', permits: 1 }

export function conditions(some: Partial<Conditions> = {}): Conditions {
  return {
    resources: [LOCK],
    forced: new Set(),
    faulty: false,
    turns: false,
    majorities: false,
    closing: false,
    intervalsMs: new Map(),
    ...some,
  }
}

/** What a tale tells, without the run that it belongs to. */
export function entriesOf(tale: Tale) {
  return tale.entries.slice(1)
}

export function whatOf(breaches: readonly Breach[]): string[] {
  return breaches.map(({ kind, what }) => `${kind}: ${what}`)
}
