import { withoutAsyncContext } from '../../../util/without-async-context.js'

/** Keeps what a client has claimed for it, until that ends. */
export class Claim {
  readonly #lost = new AbortController()
  readonly #extend: (leaseMs: number) => Promise<boolean>
  readonly #leaseMs: number
  readonly #timer: NodeJS.Timeout
  /** Until when it lasts for certain, on the monotonic clock. */
  #until: number

  /**
   * @param extend - has the claim last for that number of milliseconds from now on. Resolves with whether it was still there.
   * @param leaseMs - for how long it was made
   */
  constructor(extend: (leaseMs: number) => Promise<boolean>, leaseMs: number) {
    this.#extend = extend
    this.#leaseMs = leaseMs
    this.#until = performance.now() + leaseMs
    this.#timer = withoutAsyncContext(() => setInterval(() => void this.#renew(), leaseMs / 3).unref())
  }

  /** Aborts when another client may have claimed the same. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  end(): void {
    clearInterval(this.#timer)
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now()
    const kept = await this.#extend(this.#leaseMs).catch(() => undefined) // it is tried again while there is time
    if (kept === true) this.#until = startedAt + this.#leaseMs
    const isOver = performance.now() + this.#leaseMs / 3 >= this.#until
    if (kept === false || isOver) this.#lost.abort(new Error('Another client may write the same by now'))
  }
}
