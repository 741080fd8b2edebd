/** How many requests are remembered. Redis delivers none twice; this is for a slot that moves while a message is under way. */
const MOST_REMEMBERED = 100

/** The requests for a sum that have arrived at this client, its own and those of others. */
export class HeardRequests {
  readonly #last = new Set<string>()
  /** The requests of this client that are under way, and whether each has arrived. However many they are, none is forgotten. */
  readonly #own = new Map<string, boolean>()

  /** A request of this client begins. */
  expect(id: string): void {
    this.#own.set(id, false)
  }

  /** Whether a request of this client that has begun and not ended has arrived. */
  hasHeard(id: string): boolean {
    return this.#own.get(id) === true
  }

  /** A request of this client has ended. */
  forget(id: string): void {
    this.#own.delete(id)
  }

  /** Takes note of a request that arrives. Returns whether that is the first time. */
  isNew(id: string): boolean {
    if (this.#last.has(id) || this.hasHeard(id)) return false
    if (this.#own.has(id)) this.#own.set(id, true)
    this.#last.add(id)
    const [oldest] = this.#last
    if (this.#last.size > MOST_REMEMBERED && oldest !== undefined) this.#last.delete(oldest)
    return true
  }
}
