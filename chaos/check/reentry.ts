import { findingOf, type Finding } from './finding.js'
import { isOk, ownerOf, type Hold, type IndexedHistory, type Operation } from './indexed-history.js'
import { isExclusionPromised } from './promises.js'
import { isKnownAround } from './spans.js'

/**
 * Looks for locks that miscount their holds.
 *
 * A hold is granted once and can be given back once. Where that is so for every hold, the hold count of no owner is ever
 * negative.
 */
export function checkReentry(history: IndexedHistory): Finding[] {
  return [...enteredAgain(history), ...releasedWithoutHold(history)]
}

/** A lock that is not reentrant, and let its holder in once more. */
function enteredAgain(history: IndexedHistory): Finding[] {
  if (history.run.lock !== 'non-reentrant') return []
  return grantedWithin(history).map(([outer, inner]) =>
    findingOf(
      {
        kind: 'entered-again',
        isPromised: isExclusionPromised(history, inner.acquisition.begin.at),
        expected: 'a holder not to enter again',
        got: `${ownerOf(inner.acquisition.begin)} inside twice, as ${outer.acquisition.begin.hold} and ${inner.acquisition.begin.hold}`,
        holds: [outer, inner],
      },
      history,
    ),
  )
}

/** Pairs of an outer and an inner hold of one owner, where the outer is known to have been good. */
export function grantedWithin({ holds }: IndexedHistory): [Hold, Hold][] {
  const pairs: [Hold, Hold][] = []
  for (const inner of holds.values()) {
    const { within } = inner.acquisition.begin
    const outer = within === undefined ? undefined : holds.get(within)
    if (outer !== undefined && isOk(inner.acquisition) && isKnownAround(outer, inner))
      pairs.push([outer, inner])
  }
  return pairs
}

function releasedWithoutHold(history: IndexedHistory): Finding[] {
  const given = new Set<string>()
  const findings: Finding[] = []
  for (const release of history.operations) {
    if (release.begin.op !== 'release' || !isOk(release)) continue
    const hold = history.holds.get(release.begin.hold)
    const reason = given.has(release.begin.hold) ? 'it was given back before' : whyNotHeld(hold, release)
    given.add(release.begin.hold)
    if (reason === undefined) continue
    findings.push(
      findingOf(
        {
          kind: 'released-without-hold',
          isPromised: true,
          expected: 'a release without a hold to be rejected',
          got: `the release of ${release.begin.hold} answered ok, though ${reason}`,
          holds: hold === undefined ? [] : [hold],
          others: hold?.releases.includes(release) === true ? [] : [release.begin, release.end],
        },
        history,
      ),
    )
  }
  return findings
}

function whyNotHeld(hold: Hold | undefined, { begin }: Operation): string | undefined {
  if (hold === undefined) return 'it was never requested'
  const { acquisition } = hold
  if (!isOk(acquisition)) return `its acquisition was ${acquisition.end?.outcome ?? 'never answered'}`
  if (acquisition.end.at > begin.at) return 'it was granted only later'
  return ownerOf(acquisition.begin) === ownerOf(begin) ? undefined : `it was ${ownerOf(acquisition.begin)}'s`
}
