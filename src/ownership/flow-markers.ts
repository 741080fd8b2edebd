import { PersistentMap, type Leaf, type MapEntry } from '../util/collections/persistent-map.js'
import type { PlainHoldMarker } from './plain-hold-marker.js'

/** How many lost holds a flow keeps the markers of, so that its `unlock()` can say what became of them. With very many locks it may be more. */
const MOST_LOST = 16

/** After how many further markers of a lock those below are looked through, at the earliest. */
const LEAST_ROOM = 32

/** A marker, and those of the same lock that the flow had before, the newest first. Flows share the older ones. */
interface Noted {
  readonly marker: PlainHoldMarker
  older: Noted | undefined
  /** How many more may be put on top before all are looked through. */
  room: number
}

/**
 * The markers that an asynchronous context carries, by their locks. It never changes, so that flows share what they have in common: where
 * one starts a thousand others that take a lock each, the last of them carries the markers of all.
 *
 * No call walks through all of them. A flow may keep ten thousand locks.
 */
export class FlowMarkers {
  static readonly none = new FlowMarkers(new PersistentMap(), new PersistentMap())

  readonly #noted: PersistentMap<Noted>
  /** The groups of locks with markers here, by the locks that they are made of. */
  readonly #groups: PersistentMap<readonly string[]>

  private constructor(noted: PersistentMap<Noted>, groups: PersistentMap<readonly string[]>) {
    this.#noted = noted
    this.#groups = groups
  }

  /**
   * The markers with one more, and without some that are of no more use.
   *
   * A marker of the same lock that is still pending here cannot be the caller's own, which would be waiting: it leaked from a sibling, and
   * is left out. Of the markers of lost holds only the latest are kept, since a flow may take ever new locks and leave them to their leases.
   */
  with(marker: PlainHoldMarker): FlowMarkers {
    const { lock, parts } = marker
    const value = onTopOf(this.#noted.get(lock), marker)
    const noted = this.#noted.with({ key: lock, value }, tidied)
    const ofParts = (entries: Leaf<readonly string[]>) => stillIn(noted, entries)
    const groups = parts.reduce((all, part) => {
      const others = all.get(part)?.filter((group) => group !== lock && noted.get(group) !== undefined)
      return all.with({ key: part, value: [lock, ...(others ?? [])] }, ofParts)
    }, this.#groups)
    return new FlowMarkers(noted, groups)
  }

  /** The newest marker of a lock that is held. */
  newestHeld(lock: string): PlainHoldMarker | undefined {
    return heldOf(this.#noted.get(lock)).next().value
  }

  /** All markers of a lock that are held, and those of groups that it is a part of. */
  *held(lock: string): Generator<PlainHoldMarker, undefined> {
    yield* heldOf(this.#noted.get(lock))
    for (const group of this.#groups.get(lock) ?? []) yield* this.held(group)
  }

  /** Whether none of them is of any more use. */
  get isOver(): boolean {
    for (const noted of this.#noted.values())
      if (!noted.marker.over || below(noted) !== undefined) return false
    return true
  }
}

function* heldOf(noted: Noted | undefined): Generator<PlainHoldMarker, undefined> {
  for (let at = noted; at !== undefined; at = below(at)) if (at.marker.held) yield at.marker
}

function onTopOf(known: Noted | undefined, marker: PlainHoldMarker): Noted {
  let older = known
  while (older?.marker.over === true || older?.marker.pending === true) older = below(older)
  if (older?.room === 0) older.room = Math.max(LEAST_ROOM, lookedThrough(older))
  return { marker, older, room: (older?.room ?? LEAST_ROOM) - 1 }
}

/** Takes out what is of no more use below one; returns how many are left. */
function lookedThrough(newest: Noted): number {
  let left = 1
  let lost = 0
  for (let at = newest; at.older !== undefined;) {
    const { older } = at
    if (older.marker.isLost()) lost += 1
    if (older.marker.over || (older.marker.isLost() && lost > MOST_LOST)) at.older = older.older
    else {
      at = older
      left += 1
    }
  }
  return left
}

/** The next older one. What is over is of no use to any flow, so that none has to pass it again. */
function below(noted: Noted): Noted | undefined {
  while (noted.older?.marker.over === true) noted.older = noted.older.older
  return noted.older
}

function tidied(entries: Leaf<Noted>): Leaf<Noted> {
  let lost = 0
  const isUseless = ({ marker }: Noted): boolean => {
    if (marker.over) return true
    if (entries.length <= MOST_LOST || !marker.isLost()) return false
    lost += 1
    return lost > MOST_LOST
  }
  const useful = ({ key, value }: MapEntry<Noted>): Leaf<Noted> => {
    let at: Noted | undefined = value
    while (at !== undefined && isUseless(at)) at = below(at)
    return at === undefined ? [] : [{ key, value: at }]
  }
  return entries.flatMap(useful)
}

/** Without the groups whose markers are gone. */
function stillIn(noted: PersistentMap<Noted>, entries: Leaf<readonly string[]>): Leaf<readonly string[]> {
  return entries.filter(({ value: groups }) => groups.some((group) => noted.get(group) !== undefined))
}
