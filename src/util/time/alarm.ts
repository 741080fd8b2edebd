import { timerDelay } from './timers.js'
import { withoutAsyncContext } from './without-async-context.js'

/** One timer for many moments: it rings at the earliest, and is set again for the next. It keeps no process alive. */
export class Alarm {
  readonly #ring: () => void
  #timer: NodeJS.Timeout | undefined
  #moment = Infinity

  constructor(ring: () => void) {
    this.#ring = ring
  }

  /**
   * Rings no later than this moment on the monotonic clock. It may ring earlier, where it was set so before, or where the moment is further
   * away than a timer can last.
   */
  setFor(moment: number): void {
    if (moment >= this.#moment) return
    clearTimeout(this.#timer)
    this.#moment = moment
    const delayMs = timerDelay(moment - performance.now())
    this.#timer = withoutAsyncContext(() =>
      setTimeout(() => {
        this.#moment = Infinity
        this.#ring()
      }, delayMs).unref(),
    )
  }

  /** Whether it should have rung by now: the program has not let the event loop run. */
  get isOverdue(): boolean {
    return performance.now() >= this.#moment
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#moment = Infinity
  }
}
