import { onAbort } from '../../util/abort/abort-listeners.js'

/** What can have a stream fail. */
interface Failing {
  error(reason: unknown): void
}

/** Ends the listening for streams that were never used. */
const unused = new FinalizationRegistry<() => void>((stop) => {
  stop()
})

/** Knows when one stream has ended, and has it fail when the client closes or the program's signal aborts. */
export class StreamEnd {
  readonly #ended = new AbortController()
  readonly #signal: AbortSignal | undefined
  readonly #signals: readonly AbortSignal[]
  #stops: readonly (() => void)[] | undefined

  constructor(closing: AbortSignal, signal?: AbortSignal) {
    this.#signal = signal
    this.#signals = signal === undefined ? [closing] : [closing, signal]
  }

  /** Aborts when the stream has ended, so that none of its requests waits any more to be sent, for the first time or again. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /**
   * Fails an unused stream when the program's signal aborts, or has aborted. Keeps no reference, as the
   * stream may never be used.
   */
  watch(stream: Failing): void {
    const signal = this.#signal
    if (signal?.aborted === true) stream.error(signal.reason)
    else if (signal !== undefined) unused.register(stream, failingBy(signal, new WeakRef(stream)))
  }

  /**
   * Listens to the signals. It is called before each request, and not earlier, so that a stream which is never used holds on to nothing.
   *
   * @throws the reason of a signal that has aborted already
   */
  listen(fail: (reason: Error) => void): void {
    for (const signal of this.#signals) signal.throwIfAborted()
    this.#stops ??= this.#signals.map((signal) =>
      onAbort(signal, () => {
        fail(signal.reason as Error)
      }),
    )
  }

  reach(): void {
    for (const stop of this.#stops ?? []) stop()
    this.#ended.abort()
  }
}

/** Returns what ends the listening. It knows the stream only as long as others do. */
function failingBy(signal: AbortSignal, stream: WeakRef<Failing>): () => void {
  return onAbort(signal, () => stream.deref()?.error(signal.reason))
}
