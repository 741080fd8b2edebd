import { findingOf, type Finding, type Observation } from './finding.js'
import { isOk, outerHolds, ownerOf, type Hold, type IndexedHistory } from './indexed-history.js'
import { isExclusionPromised } from './promises.js'
import { grantedWithin } from './reentry.js'

/** Looks for tokens that do not tell an older hold from a newer one. */
export function checkFencing(history: IndexedHistory): Finding[] {
  if (history.run.lock !== 'fenced') return []
  const granted = [...history.holds.values()].filter(({ acquisition }) => isOk(acquisition))
  const outer = outerHolds(granted)
  return [
    ...invalid(granted),
    ...changed(history),
    ...[...Map.groupBy(outer, ({ acquisition }) => acquisition.begin.name).values()].flatMap((ofName) => [
      ...repeated(ofName, history),
      ...outOfOrder(ofName, history),
    ]),
  ].map((observation) => findingOf(observation, history))
}

function invalid(granted: readonly Hold[]): Observation[] {
  return granted
    .filter((hold) => !(Number.isSafeInteger(tokenOf(hold)) && tokenOf(hold) > 0))
    .map((hold) => ({
      kind: 'token-invalid',
      isPromised: true,
      expected: 'a token to be a positive integer',
      got: `${String(hold.acquisition.end?.token)} for ${hold.acquisition.begin.hold}`,
      holds: [hold],
    }))
}

function changed(history: IndexedHistory): Observation[] {
  return grantedWithin(history)
    .filter(([outer, inner]) => tokenOf(outer) !== tokenOf(inner))
    .map(([outer, inner]) => ({
      kind: 'token-changed',
      isPromised: isExclusionPromised(history, grantedAtMs(inner)),
      expected: `the token ${String(tokenOf(outer))} for a re-entry`,
      got: String(tokenOf(inner)),
      holds: [outer, inner],
    }))
}

function repeated(holds: readonly Hold[], history: IndexedHistory): Observation[] {
  const first = new Map<number, Hold>()
  const observations: Observation[] = []
  for (const hold of holds.toSorted((a, b) => grantedAtMs(a) - grantedAtMs(b))) {
    const token = tokenOf(hold)
    const earlier = first.get(token)
    if (earlier === undefined) first.set(token, hold)
    else
      observations.push({
        kind: 'token-repeated',
        isPromised: isExclusionPromised(history, grantedAtMs(hold)),
        expected: 'a token for each change of hands',
        got: `${String(token)} for ${nameOf(earlier)} and for ${nameOf(hold)}`,
        holds: [earlier, hold],
      })
  }
  return observations
}

/** Compares each hold with those that were granted before it was asked for; of holds asked for at once any may be first. */
function outOfOrder(holds: readonly Hold[], history: IndexedHistory): Observation[] {
  const granted = holds.toSorted((a, b) => grantedAtMs(a) - grantedAtMs(b))
  const observations: Observation[] = []
  let newest: Hold | undefined
  let next = 0
  for (const hold of holds.toSorted((a, b) => a.acquisition.begin.at - b.acquisition.begin.at)) {
    for (let earlier = granted[next]; earlier !== undefined; earlier = granted[next]) {
      if (grantedAtMs(earlier) >= hold.acquisition.begin.at) break
      if (newest === undefined || tokenOf(earlier) > tokenOf(newest)) newest = earlier
      next += 1
    }
    if (newest === undefined || !(tokenOf(newest) > tokenOf(hold))) continue // the same one again counts as repeated
    observations.push({
      kind: 'token-out-of-order',
      isPromised: isExclusionPromised(history, grantedAtMs(hold)),
      expected: `a token larger than ${String(tokenOf(newest))}, which ${nameOf(newest)} got before`,
      got: `${String(tokenOf(hold))} for ${nameOf(hold)}`,
      holds: [newest, hold],
    })
  }
  return observations
}

function tokenOf({ acquisition }: Hold): number {
  return acquisition.end?.token ?? NaN
}

function grantedAtMs({ acquisition }: Hold): number {
  return acquisition.end?.at ?? Infinity
}

function nameOf({ acquisition }: Hold): string {
  return `${acquisition.begin.hold} of ${ownerOf(acquisition.begin)}`
}
