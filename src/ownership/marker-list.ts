import type { PlainHoldMarker } from './plain-hold-marker.js'

/** How many lost holds a flow keeps the markers of, so that its `unlock()` can say what became of them. */
const MOST_LOST = 16

/**
 * The markers that an asynchronous context carries, the newest first. A list never changes, so that flows share what they have in common:
 * where one starts a thousand others that take a lock each, the last of them carries the markers of all.
 */
export interface MarkerList {
  readonly marker: PlainHoldMarker
  readonly before: MarkerList | undefined
}

/**
 * A list with one marker more, and without those that are of no more use.
 *
 * A marker of the same lock that is still pending here cannot be the caller's own, which would be waiting: it leaked from a sibling, and
 * is left out. Of the markers of lost holds only the latest are kept, since a flow may take ever new locks and leave them to their leases.
 */
export function withMarker(list: MarkerList | undefined, marker: PlainHoldMarker): MarkerList {
  const kept: PlainHoldMarker[] = []
  let lost = 0
  let isWhole = true
  for (let at = list; at !== undefined; at = at.before) {
    const { marker: other } = at
    if (other.lost) lost += 1
    const isUseless =
      other.over || (other.pending && other.lock === marker.lock) || (other.lost && lost > MOST_LOST)
    if (isUseless) isWhole = false
    else kept.push(other)
  }
  return { marker, before: isWhole ? list : listOf(kept) }
}

/** The newest marker of which something is true. */
export function newestOf(
  list: MarkerList | undefined,
  isMeant: (marker: PlainHoldMarker) => boolean,
): PlainHoldMarker | undefined {
  for (let at = list; at !== undefined; at = at.before) if (isMeant(at.marker)) return at.marker
  return undefined
}

/** All markers of holds that are not released yet, the newest first. */
export function heldOf(list: MarkerList | undefined): PlainHoldMarker[] {
  const held = []
  for (let at = list; at !== undefined; at = at.before) if (at.marker.held) held.push(at.marker)
  return held
}

function listOf(newestFirst: readonly PlainHoldMarker[]): MarkerList | undefined {
  return newestFirst.reduceRight<MarkerList | undefined>((before, marker) => ({ marker, before }), undefined)
}
