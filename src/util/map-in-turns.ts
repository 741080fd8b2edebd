import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunk } from './collections/chunk.js'

/** How many items are mapped in one turn of the event loop: some milliseconds, where each of them is a value to decode. */
export const ITEMS_PER_TURN = 1_000

/**
 * Maps items in their order: few at once, and many in several turns of the event loop, between which other work of the process is done.
 *
 * What the function throws ends it: no later item is mapped.
 */
export function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): R[] | Promise<R[]> {
  return items.length <= ITEMS_PER_TURN ? items.map((item) => map(item)) : mapParts(items, map)
}

async function mapParts<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  for (const part of chunk(items, ITEMS_PER_TURN)) {
    if (results.length > 0) await nextTurn()
    for (const item of part) results.push(map(item))
  }
  return results
}
