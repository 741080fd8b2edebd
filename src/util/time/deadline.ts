/** Who looks later than this was held up by the program, in milliseconds. */
const HELD_UP_MS = 50

/** A moment to give up, on the monotonic clock, so that a change of the wall clock changes nothing. */
export class Deadline {
  /** Never gives up. */
  static readonly never = new Deadline(Infinity)

  /** Gives up after this number of milliseconds. */
  static after(ms: number): Deadline {
    return new Deadline(performance.now() + ms)
  }

  /** The last of some. */
  static latest(given: readonly { readonly deadline: Deadline }[]): Deadline {
    const deadlines = given.map(({ deadline }) => deadline)
    return deadlines.reduce((latest, each) =>
      each.within(Infinity) > latest.within(Infinity) ? each : latest,
    )
  }

  readonly #at: number
  readonly #isOver: () => boolean

  private constructor(at: number, isOver = () => false) {
    this.#at = at
    this.#isOver = isOver
  }

  /** The same, but passed as soon as something else is over. */
  or(isOver: () => boolean): Deadline {
    return new Deadline(this.#at, isOver)
  }

  get passed(): boolean {
    return performance.now() >= this.#at || this.#isOver()
  }

  /** Whether it has passed, and that shows at once. */
  get passedJustNow(): boolean {
    return this.passed && !this.passedLongAgo
  }

  /** Whether it passed while the program did not let the event loop run, so that replies and messages were not read in time. */
  get passedLongAgo(): boolean {
    return performance.now() - this.#at > HELD_UP_MS
  }

  /** The time left, but no more than `ms`. */
  within(ms: number): number {
    return Math.min(ms, Math.max(0, this.#at - performance.now()))
  }
}
