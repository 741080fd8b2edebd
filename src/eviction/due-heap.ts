/** What a heap orders. */
export interface Due {
  /** A moment on the monotonic clock; does not change while it is in a heap. */
  readonly dueAt: number
  /** Where it is in its heap, which alone sets this; undefined while it is in none. */
  position: number | undefined
}

/** Items by the moment at which they are due. Adding and removing any of them takes logarithmic time. */
export class DueHeap<T extends Due> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  /** The item that is due first. */
  get first(): T | undefined {
    return this.#items[0]
  }

  /** Adds an item that is in no heap. */
  add(item: T): void {
    this.#place(item, this.#items.length)
    this.#rise(item)
  }

  /** Removes an item, unless it is in no heap. */
  remove(item: T): void {
    const { position } = item
    if (position === undefined) return
    item.position = undefined
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#place(last, position)
    this.#rise(last)
    this.#sink(last)
  }

  #rise(item: T): void {
    for (;;) {
      const position = item.position ?? 0
      const parent = position === 0 ? undefined : this.#items[(position - 1) >> 1]
      if (parent === undefined || parent.dueAt <= item.dueAt) return
      this.#swap(item, parent)
    }
  }

  #sink(item: T): void {
    for (;;) {
      const child = this.#earlierChildOf(item.position ?? 0)
      if (child === undefined || item.dueAt <= child.dueAt) return
      this.#swap(item, child)
    }
  }

  #earlierChildOf(position: number): T | undefined {
    const left = this.#items[2 * position + 1]
    const right = this.#items[2 * position + 2]
    return left !== undefined && right !== undefined && right.dueAt < left.dueAt ? right : left
  }

  #swap(one: T, other: T): void {
    const [position = 0, otherPosition = 0] = [one.position, other.position]
    this.#place(one, otherPosition)
    this.#place(other, position)
  }

  #place(item: T, position: number): void {
    this.#items[position] = item
    item.position = position
  }
}
