/** How the clock of a process differs from true time. */
export interface ClockOptions {
  /**
   * How far its wall clock is ahead of true time.
   *
   * @defaultValue 0
   */
  readonly skewMs?: number
  /**
   * Its seconds in a true second.
   *
   * @defaultValue 1
   */
  readonly drift?: number
  /**
   * What its monotonic clock shows when it starts.
   *
   * @defaultValue 0
   */
  readonly uptimeMs?: number
}

/** The date on which every simulation begins. */
export const EPOCH_MS = Date.UTC(2030, 0, 1)

/** What the clocks of one process show, while virtual time is the true time. */
export class ProcessClock {
  readonly #startedAt: number
  readonly #drift: number
  readonly #uptimeMs: number
  #skewMs: number
  #reached = 0

  constructor(startedAt: number, { skewMs = 0, drift = 1, uptimeMs = 0 }: ClockOptions = {}) {
    if (!(drift > 0)) throw new RangeError(`A clock goes forward, got a drift of ${drift}`)
    this.#startedAt = startedAt
    this.#skewMs = skewMs
    this.#drift = drift
    this.#uptimeMs = uptimeMs
  }

  /** What `performance.now()` returns. */
  monotonicAt(now: number): number {
    const shown = this.#uptimeMs + (now - this.#startedAt) * this.#drift
    return Math.max(shown, this.#reached)
  }

  /** What `Date.now()` returns, with the fraction that it cuts off. */
  wallAt(now: number): number {
    return this.timeOrigin + this.monotonicAt(now)
  }

  /** When its monotonic clock showed 0, on its wall clock. */
  get timeOrigin(): number {
    return EPOCH_MS + this.#startedAt - this.#uptimeMs + this.#skewMs
  }

  /** When its monotonic clock shows a value, in true time. */
  trueTimeOf(monotonicMs: number): number {
    return this.#startedAt + (monotonicMs - this.#uptimeMs) / this.#drift
  }

  /** Has the monotonic clock show at least this from now on: a timer never fires before its time because of a rounding error. */
  reach(monotonicMs: number): void {
    if (monotonicMs > this.#reached) this.#reached = monotonicMs
  }

  /** Sets the wall clock forward, or back where negative. The monotonic clock is not changed. */
  step(ms: number): void {
    this.#skewMs += ms
  }
}
