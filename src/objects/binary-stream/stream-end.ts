import { onAbort } from '../../util/abort-listeners.js'

/** Knows when one stream has ended, and has it fail when one of some signals aborts. */
export class StreamEnd {
  readonly #ended = new AbortController()
  readonly #signals: readonly AbortSignal[]
  #stops: readonly (() => void)[] | undefined

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    this.#signals = signals.filter((signal) => signal !== undefined)
  }

  /** Aborts when the stream has ended, so that none of its requests waits any more to be sent, for the first time or again. */
  get signal(): AbortSignal {
    return this.#ended.signal
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
