import type { BeginEntry } from '../history.js'
import { isOk, ownerOf, type Hold } from './indexed-history.js'

/** A time during which an owner held a lock by all that it knew. It may have held it for longer. */
export interface Span {
  readonly hold: Hold
  readonly owner: string
  readonly begin: BeginEntry
  readonly fromMs: number
  readonly toMs: number
}

/**
 * The known spans of all holds: from the end of the acquisition until the hold was last known to be good.
 *
 * A hold that was never seen to be good after its acquisition has none. An inner hold has a span of its own. It is its
 * owner's, so it conflicts only with what the outer hold conflicts with.
 */
export function knownSpans(holds: Iterable<Hold>): Span[] {
  return [...holds].map(spanOf).filter((span) => span !== undefined)
}

/** Whether an outer hold is known to have been good when an inner one was granted. */
export function isKnownAround(outer: Hold, inner: Hold): boolean {
  const span = spanOf(outer)
  const grantedAtMs = inner.acquisition.end?.at
  return (
    span !== undefined && grantedAtMs !== undefined && span.fromMs <= grantedAtMs && grantedAtMs <= span.toMs
  )
}

function spanOf(hold: Hold): Span | undefined {
  const { acquisition } = hold
  if (!isOk(acquisition)) return undefined
  const fromMs = acquisition.end.at
  const toMs = lastKnownMs(hold)
  if (toMs <= fromMs) return undefined
  return { hold, owner: ownerOf(acquisition.begin), begin: acquisition.begin, fromMs, toMs }
}

function lastKnownMs({ steps, releases }: Hold): number {
  const lost = steps.findIndex(({ what }) => what === 'lost')
  const good = lost === -1 ? steps : steps.slice(0, lost)
  const last = good.reduce((latest, { at }) => Math.max(latest, at), 0)
  // Redis has found the hold when it took it back. After a loss, or by any other answer, it has not.
  const release = lost === -1 ? releases.find(isOk) : undefined
  return release === undefined ? last : Math.max(last, release.begin.at)
}
