interface Link<T> {
  readonly value: T
  before: Link<T> | undefined
  after: Link<T> | undefined
}

/** Values in the order in which they came, each of them once. Whichever leaves, the others need not be touched. */
export class LinkedList<T> implements Iterable<T> {
  readonly #links = new Map<T, Link<T>>()
  #first: Link<T> | undefined
  #last: Link<T> | undefined

  get size(): number {
    return this.#links.size
  }

  get first(): T | undefined {
    return this.#first?.value
  }

  has(value: T): boolean {
    return this.#links.has(value)
  }

  /** Adds a value at the end, unless it is there. */
  add(value: T): void {
    if (this.has(value)) return
    const link: Link<T> = { value, before: this.#last, after: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.after = link
    this.#last = link
    this.#links.set(value, link)
  }

  /** Removes a value. Returns whether it was there. */
  delete(value: T): boolean {
    const link = this.#links.get(value)
    if (link === undefined) return false
    const { before, after } = link
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    return this.#links.delete(value)
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let link = this.#first; link !== undefined; link = link.after) yield link.value
  }
}
