/**
 * A resource with a limited number of users at a time, which notices when there are more.
 *
 * Put the critical section of a test inside: exclusion is then asserted by who is there, not by timing.
 */
export class LimitedResource {
  readonly #limit: number
  #inside = 0
  #entries = 0
  #highest = 0

  constructor(limit = 1) {
    this.#limit = limit
  }

  /** How often it was entered. */
  get entries(): number {
    return this.#entries
  }

  /** How many are inside now. */
  get inside(): number {
    return this.#inside
  }

  /** The most that were ever inside together. */
  get highest(): number {
    return this.#highest
  }

  /**
   * Enters for as long as the work takes.
   *
   * @throws RangeError if that makes one too many; those who are inside learn nothing of it
   */
  async use<T>(work: () => T | Promise<T>): Promise<T> {
    const visit = this.enter()
    try {
      return await work()
    } finally {
      visit[Symbol.dispose]()
    }
  }

  /**
   * Enters until what it returns is disposed.
   *
   * @throws RangeError if that makes one too many
   */
  enter(): Disposable {
    if (this.#inside >= this.#limit) {
      throw new RangeError(`Expected at most ${this.#limit} inside, got one more`)
    }
    this.#inside += 1
    this.#entries += 1
    this.#highest = Math.max(this.#highest, this.#inside)
    return { [Symbol.dispose]: once(() => (this.#inside -= 1)) }
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}
