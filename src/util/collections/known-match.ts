/**
 * Knows whether a set has a value that meets a condition. It remembers the one that it has found, and looks for another from there when that has left:
 * an iterator that begins anew passes over all that was deleted before the first.
 */
export class KnownMatch<T> {
  readonly #values: ReadonlySet<T>
  readonly #meets: (value: T) => boolean
  /** Begun by the first look: an iterator keeps all that a set has had since. */
  #rest: Iterator<T, unknown> = [].values()
  #found: T | undefined

  constructor(values: ReadonlySet<T>, meets: (value: T) => boolean) {
    this.#values = values
    this.#meets = meets
  }

  /** Returns whether there is any now. */
  look(): boolean {
    if (this.#found !== undefined && this.#values.has(this.#found) && this.#meets(this.#found)) return true
    if (this.#findNext()) return true
    this.#rest = this.#values.values() // those that were passed over may meet it by now
    return this.#findNext()
  }

  #findNext(): boolean {
    this.#found = undefined
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      if (!this.#meets(next.value)) continue
      this.#found = next.value
      return true
    }
    return false
  }
}
