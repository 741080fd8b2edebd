import { randomNumbers } from '../test/support/random.js'

/** Chooses, and chooses the same again for the same seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = randomNumbers(seed)
  }

  /** From `from`, up to but without `to`. */
  between(from: number, to: number): number {
    return from + this.#next() * (to - from)
  }

  /** A whole number from `from` to `to`, both of them included. */
  whole(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1))
  }

  /** True with that probability. */
  chance(share: number): boolean {
    return this.#next() < share
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new RangeError('Expected something to choose from, got nothing')
    return choices[this.whole(0, choices.length - 1)] as T
  }

  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items]
    return items.map(() => rest.splice(this.whole(0, rest.length - 1), 1)[0] as T)
  }

  /** A seed for another generator. */
  seed(): number {
    return this.whole(0, 2 ** 31)
  }
}
