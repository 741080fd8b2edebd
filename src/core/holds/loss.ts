import { lazyLossSignal } from './lazy-loss-signal.js'

/** Whether something that this process holds was lost, and the signal that says so. */
export class Loss<E extends Error> {
  #error: E | undefined
  #controller: AbortController | undefined
  #signal: AbortSignal | undefined

  /** Why it was lost, if it was, as far as that was noted. */
  get error(): E | undefined {
    return this.#error
  }

  /**
   * Returns the signal that aborts when it is lost. Made only when it is asked for, because of most holds it never is.
   *
   * @param look - finds out whether it is lost by now, and notes that
   */
  signal(look: () => void): AbortSignal {
    this.#signal ??= this.#make(look)
    return this.#signal
  }

  /** It is lost. */
  note(error: E): void {
    this.#error = error
  }

  /** Aborts the signal, if anyone has it. */
  abort(): void {
    this.#controller?.abort(this.#error)
  }

  #make(look: () => void): AbortSignal {
    const controller = new AbortController()
    look()
    if (this.#error !== undefined) controller.abort(this.#error)
    this.#controller = controller
    return lazyLossSignal(controller, look)
  }
}
