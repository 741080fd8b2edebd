/** Between what a delay moves. */
export interface DelayBounds {
  /** The first delay, and the shortest. */
  readonly minSeconds: number
  readonly maxSeconds: number
  /** How many entries a run removes at most. */
  readonly limit: number
}

/** How many runs in a row have to agree. */
const RUNS = 3

/**
 * The time until the next run: longer where less and less expires, shorter where every run removes as many entries as it may.
 *
 * The rules are Redisson's, in whole seconds, so that programs in both languages clean an object equally often.
 */
export class AdaptiveDelay {
  readonly #bounds: DelayBounds
  #seconds: number
  /** How many entries the last runs have removed, the oldest first. */
  #counts: readonly number[] = []

  constructor(bounds: DelayBounds) {
    this.#bounds = bounds
    this.#seconds = bounds.minSeconds
  }

  get seconds(): number {
    return this.#seconds
  }

  /** Adapts to the number of entries that a run has removed. */
  note(count: number): void {
    const counts = [...this.#counts, count]
    this.#counts = counts.slice(1 - RUNS)
    const [first, second, third] = counts
    if (first === undefined || second === undefined || third === undefined) return
    if (first > second && second > third) this.#lengthen()
    else if (first === second && second === third) this.#adaptToConstant(count)
  }

  #adaptToConstant(count: number): void {
    if (count >= this.#bounds.limit) this.#shorten()
    else if (count === 0) this.#lengthen()
  }

  #lengthen(): void {
    this.#seconds = Math.min(this.#bounds.maxSeconds, Math.floor(this.#seconds * 1.5))
  }

  #shorten(): void {
    this.#seconds = Math.max(this.#bounds.minSeconds, Math.floor(this.#seconds / 4))
  }
}
