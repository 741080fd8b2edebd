import { countsOf, type Counts } from './check/counts.js'
import { checkExclusion } from './check/exclusion.js'
import { checkFencing } from './check/fencing.js'
import type { Finding } from './check/finding.js'
import { checkGuardedSets } from './check/guarded-set.js'
import { indexHistory } from './check/indexed-history.js'
import { checkLiveness } from './check/liveness.js'
import { checkReentry } from './check/reentry.js'
import { knownSpans } from './check/spans.js'
import type { Entry, RunEntry } from './history.js'

export type { Counts } from './check/counts.js'
export type { Finding, FindingKind } from './check/finding.js'
export { readHistory } from './check/read-history.js'

/** What a run has shown. */
export interface Verdict {
  readonly run: RunEntry
  /** What was promised, and is not so. */
  readonly violations: readonly Finding[]
  /** What is not guaranteed, and should still be known. */
  readonly measured: readonly Finding[]
  readonly counts: Counts
}

/**
 * Compares what the clients of a run have seen with what the lock promises.
 *
 * It reports nothing without proof: where the clients are not certain, the best case is assumed.
 *
 * @throws Error if the entries are no record of a run
 */
export function checkHistory(entries: readonly Entry[]): Verdict {
  const history = indexHistory(entries)
  const exclusion = checkExclusion(history, knownSpans(history.holds.values()))
  const fencing = checkFencing(history)
  const findings = [
    ...exclusion.findings,
    ...checkReentry(history),
    ...fencing,
    ...checkGuardedSets(history, fencing),
    ...checkLiveness(history),
  ]
  return {
    run: history.run,
    violations: findings.filter(({ isPromised }) => isPromised),
    measured: findings.filter(({ isPromised }) => !isPromised),
    counts: countsOf(history, exclusion.mostAtOnce),
  }
}
