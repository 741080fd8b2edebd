/** What can be in a heap: it is ordered by time, then phase, then order. */
export interface Ordered {
  readonly at: number
  readonly phase: number
  readonly order: number
  /** Where it is in the heap; -1 while it is in none. */
  place: number
}

/** Events, the next one first. Taking any of them out costs as little as taking the first. */
export class EventHeap<T extends Ordered> {
  readonly #events: T[] = []

  get size(): number {
    return this.#events.length
  }

  get first(): T | undefined {
    return this.#events[0]
  }

  add(event: T): void {
    this.#events.push(event)
    this.#rise(event, this.#events.length - 1)
  }

  /** Takes one out; does nothing for one that is not in. */
  remove(event: T): void {
    const { place } = event
    if (place < 0) return
    const last = this.#events.pop() as T
    event.place = -1
    if (last === event) return
    this.#sink(last, place)
    this.#rise(last, last.place)
  }

  /** Takes out those that a condition is true of. */
  removeWhere(condition: (event: T) => boolean): readonly T[] {
    const removed = this.#events.filter(condition)
    for (const event of removed) this.remove(event)
    return removed
  }

  #rise(event: T, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.#events[above] as T
      if (precedes(parent, event)) break
      this.#put(parent, place)
      place = above
    }
    this.#put(event, place)
  }

  #sink(event: T, from: number): void {
    let place = from
    for (;;) {
      const child = this.#firstChild(place)
      if (child === undefined || precedes(event, child)) break
      const next = child.place
      this.#put(child, place)
      place = next
    }
    this.#put(event, place)
  }

  #firstChild(place: number): T | undefined {
    const left = this.#events[2 * place + 1]
    const right = this.#events[2 * place + 2]
    return left === undefined || right === undefined || precedes(left, right) ? left : right
  }

  #put(event: T, place: number): void {
    this.#events[place] = event
    event.place = place
  }
}

function precedes(one: Ordered, other: Ordered): boolean {
  if (one.at !== other.at) return one.at < other.at
  return one.phase === other.phase ? one.order < other.order : one.phase < other.phase
}
