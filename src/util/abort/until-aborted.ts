import { raceAbort } from './race-abort.js'

/** Iterates until a signal aborts, and then throws its reason at once. An item that is still waited for then is dropped. */
export async function* untilAborted<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let isOver = false
  try {
    for (;;) {
      const next = await raceAbort(Promise.resolve(iterator.next()), signal)
      isOver = next.done === true
      if (next.done === true) return
      yield next.value
    }
  } finally {
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined) // it may be waited for as long as the item
  }
}
