/** A moment to give up, on the monotonic clock, so that a change of the wall clock changes nothing. */
export class Deadline {
  /** Never gives up. */
  static readonly never = new Deadline(Infinity)

  /** Gives up when so many milliseconds have gone by. */
  static after(ms: number): Deadline {
    return new Deadline(performance.now() + ms)
  }

  readonly #at: number

  private constructor(at: number) {
    this.#at = at
  }

  get passed(): boolean {
    return performance.now() >= this.#at
  }

  /** The time left, but no more than `ms`. */
  within(ms: number): number {
    return Math.min(ms, Math.max(0, this.#at - performance.now()))
  }
}
