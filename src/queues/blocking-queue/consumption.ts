import type { TakeOptions } from '../../collections/shared/polling.api.js'
import { eitherSignal } from '../../util/abort/either-signal.js'

/**
 * Iterates over elements that are taken one after the other, each when it is asked for.
 *
 * @param take - takes one
 */
export function consumptionOf<V>(
  take: (options: TakeOptions) => Promise<V>,
  signal: AbortSignal | undefined,
): AsyncIterable<V, undefined> {
  return {
    [Symbol.asyncIterator]: () => new Consumption((end) => take({ signal: eitherSignal(end, signal) })),
  }
}

/** One iteration. */
class Consumption<V> implements AsyncIterator<V, undefined> {
  readonly #take: (end: AbortSignal) => Promise<V>
  readonly #ending = new AbortController()
  /** Calls take their elements in their order. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(take: (end: AbortSignal) => Promise<V>) {
    this.#take = take
  }

  next(): Promise<IteratorResult<V, undefined>> {
    const next = this.#last.then(() => this.#next())
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Ends it, and what is being taken: an element that has been removed by then is still the result of its call. */
  async return(): Promise<IteratorResult<V, undefined>> {
    this.#ending.abort()
    await this.#last
    return { done: true, value: undefined }
  }

  async #next(): Promise<IteratorResult<V, undefined>> {
    const { signal } = this.#ending
    if (signal.aborted) return { done: true, value: undefined }
    try {
      return { done: false, value: await this.#take(signal) }
    } catch (error) {
      if (error === signal.reason) return { done: true, value: undefined }
      this.#ending.abort() // an iteration that has thrown is over
      throw error
    }
  }
}
