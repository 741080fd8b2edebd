import type { Key } from '../../connection/connection.js'
import { chunk } from '../../util/collections/chunk.js'
import type { Topology } from './object-context.js'
import { sendParts, type Changes } from './parts.js'

/** How what is asked for is divided. */
export interface Division<P> {
  readonly topology: Pick<Topology, 'slotOf'>
  readonly keyOf: (place: P) => Key
  /** How much goes into one request at most. */
  readonly most: number
  readonly changes: Changes
}

/**
 * Asks for those of each slot by themselves, at the same time.
 *
 * @throws the error of the first request that failed, once all have settled; what the others have done stays, and it has `mayHaveRun` then
 */
export function askBySlot<P, R>(
  places: readonly P[],
  { topology, keyOf, most, changes }: Division<P>,
  ask: (part: readonly P[]) => Promise<R>,
): Promise<R[]> {
  const slots = Map.groupBy(places, (place) => topology.slotOf(keyOf(place)))
  const parts = [...slots.values()].flatMap((slot) => chunk(slot, most))
  return sendParts(parts, ask, { together: parts.length, changes })
}
