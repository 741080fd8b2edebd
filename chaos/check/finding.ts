import type { Entry } from '../history.js'
import type { Hold, IndexedHistory } from './indexed-history.js'

/** What a check can find. */
export const FINDINGS = [
  'too-many-holders',
  'entered-again',
  'released-without-hold',
  'token-invalid',
  'token-changed',
  'token-repeated',
  'token-out-of-order',
  'lost-update',
  'unknown-element',
  'not-alive',
  'never-answered',
] as const

export type FindingKind = (typeof FINDINGS)[number]

/** Tokens that do not tell an older hold from a newer one. */
export const TOKEN_FINDINGS = ['token-changed', 'token-repeated', 'token-out-of-order'] as const

/** Something that should not be, with all of the history that it takes to see it. */
export interface Finding {
  readonly kind: FindingKind
  /** Whether it was promised not to happen: a violation. If not, it is counted. */
  readonly isPromised: boolean
  readonly expected: string
  readonly got: string
  readonly fromMs: number
  readonly toMs: number
  readonly window: readonly Entry[]
}

/** What a check has to say of a finding; where no window is given, it is the time of its entries. */
export interface Observation {
  readonly kind: FindingKind
  readonly isPromised: boolean
  readonly expected: string
  readonly got: string
  readonly holds: readonly Hold[]
  /** Entries of no hold that belong to it. */
  readonly others?: readonly Entry[]
  /** When it happened. */
  readonly time?: { readonly fromMs: number; readonly toMs: number }
}

/** Makes a finding of an observation, with the faults that were going on at the time. */
export function findingOf(observation: Observation, { faults }: IndexedHistory): Finding {
  const { kind, isPromised, expected, got, holds, others = [], time } = observation
  const involved = [...holds.flatMap((hold) => entriesOf(hold, time)), ...others]
  const fromMs = time?.fromMs ?? Math.min(...involved.map(atOf))
  const toMs = time?.toMs ?? Math.max(...involved.map(atOf))
  const harm = faults
    .during(fromMs, toMs)
    .flatMap(({ begin, end }) => (end === undefined ? [begin] : [begin, end]))
  const window = [...involved, ...harm].sort((a, b) => atOf(a) - atOf(b))
  return { kind, isPromised, expected, got, fromMs, toMs, window }
}

/** When an entry was written; the run itself, which has no time, comes first. */
export function atOf(entry: Entry): number {
  return 'at' in entry ? entry.at : 0
}

/** All entries of a hold; of its steps, if it is about a certain time, only those of this time and the next ones around. */
function entriesOf({ acquisition, releases, steps }: Hold, time: Observation['time']): Entry[] {
  const operations = [acquisition, ...releases].flatMap(({ begin, end }) =>
    end === undefined ? [begin] : [begin, end],
  )
  if (time === undefined) return [...operations, ...steps]
  const first = steps.findLastIndex(({ at }) => at < time.fromMs)
  const last = steps.findIndex(({ at }) => at > time.toMs)
  return [...operations, ...steps.slice(Math.max(0, first), last === -1 ? undefined : last + 1)]
}
