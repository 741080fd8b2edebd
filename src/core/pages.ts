import { setImmediate as nextTurn } from 'node:timers/promises'
import { CodecError } from '../errors/codec-errors.js'
import { raceAbort } from '../util/abort/race-abort.js'
import type { ScanSettings } from './arguments/scan-settings.js'

/** Some of what there is, and where to go on. */
export type Page<T> = readonly [cursor: string, items: readonly T[]]

/** Where a walk begins, and what the last page says. */
export const FIRST_CURSOR = '0'

/** After how many items of a page the event loop gets a turn: a page may have half a million of them, and no timer fires while one promise follows the other. */
const ITEMS_PER_TURN = 5_000

/** Asks for one page after the other, each of them when it is needed. */
export async function* pagesOf<T>(
  next: (cursor: string) => Promise<Page<T>>,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  let cursor = FIRST_CURSOR
  do {
    signal?.throwIfAborted()
    const [following, items] = await raceAbort(next(cursor), signal)
    yield items
    cursor = following
  } while (cursor !== FIRST_CURSOR)
}

/** A walk that begins again for each loop. */
export function walk<T, R>(
  next: (cursor: string) => Promise<Page<T>>,
  decode: (item: T) => R,
  settings: Pick<ScanSettings, 'onInvalid' | 'signal'>,
): AsyncIterable<R> {
  return { [Symbol.asyncIterator]: () => itemsOf(pagesOf(next, settings.signal), decode, settings) }
}

/** The items of pages. */
export async function* itemsOf<T, R>(
  pages: AsyncIterable<readonly T[]>,
  decode: (item: T) => R,
  { onInvalid, signal }: Pick<ScanSettings, 'onInvalid' | 'signal'>,
): AsyncGenerator<R, void, undefined> {
  for await (const page of pages) {
    let place = 0
    for (const item of page) {
      if (place > 0 && place % ITEMS_PER_TURN === 0) await nextTurn()
      place += 1
      signal?.throwIfAborted()
      // `yield*` would make an iterator and some promises for each item.
      for (const value of onInvalid === 'skip' ? readable(item, decode) : [decode(item)]) yield value
    }
  }
}

/** The item, unless the codec cannot read it. */
function readable<T, R>(item: T, decode: (item: T) => R): [R] | [] {
  try {
    return [decode(item)]
  } catch (error) {
    if (error instanceof CodecError) return []
    throw error
  }
}
