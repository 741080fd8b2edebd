/** A value, and how many gaps come before it. */
interface Buffered<T> {
  readonly value: T
  readonly gaps: number
}

/** A waiter for the next value. */
type Taker<T> = PromiseWithResolvers<IteratorResult<T, undefined>>

const DONE: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined })

/** Values that wait in order until they are taken, up to a number of them, and the gaps between them. */
export class MessageBuffer<T> {
  readonly #size: number
  readonly #onGap: () => void
  readonly #values: Buffered<T>[] = []
  readonly #takers: Taker<T>[] = []
  /** Those after the last value. */
  #gaps = 0
  #ended = false
  #error: Error | undefined

  /**
   * @param size - how many values may wait
   * @param onGap - called for each gap when all values before it are taken and the next is asked for
   */
  constructor(size: number, onGap: () => void) {
    this.#size = size
    this.#onGap = onGap
  }

  /** Whether a value would have to wait for which there is no room. */
  get isFull(): boolean {
    return this.#takers.length === 0 && this.#values.length >= this.#size
  }

  /** Adds a value, which the first waiter gets. After the end it is dropped. */
  push(value: T): void {
    if (this.#ended) return
    const taker = this.#takers.shift()
    if (taker !== undefined) {
      taker.resolve({ done: false, value })
      return
    }
    this.#values.push({ value, gaps: this.#gaps })
    this.#gaps = 0
  }

  /** Drops the oldest value. Its gaps come before the next. */
  dropOldest(): void {
    const { gaps = 0 } = this.#values.shift() ?? {}
    const [next] = this.#values
    if (next === undefined) this.#gaps += gaps
    else this.#values[0] = { value: next.value, gaps: next.gaps + gaps }
  }

  /** Adds a gap after the values that wait. */
  gap(): void {
    if (this.#ended) return
    if (this.#takers.length > 0) this.#onGap()
    else this.#gaps += 1
  }

  /** Takes the next value as soon as there is one. Rejects once with the error after all values that were added before it. */
  take(): Promise<IteratorResult<T, undefined>> {
    const next = this.#values.shift()
    if (next !== undefined) {
      this.#report(next.gaps)
      return Promise.resolve({ done: false, value: next.value })
    }
    this.#report(this.#gaps)
    this.#gaps = 0
    const error = this.#error
    this.#error = undefined
    if (error !== undefined) return Promise.reject(error)
    if (this.#ended) return Promise.resolve(DONE)
    const taker = Promise.withResolvers<IteratorResult<T, undefined>>()
    this.#takers.push(taker)
    return taker.promise
  }

  /** Ends with an error, which the first waiter gets, or the first caller after all values are taken. */
  fail(error: Error): void {
    if (this.#ended) return
    const taker = this.#takers.shift()
    if (taker === undefined) this.#error = error
    else taker.reject(error)
    this.#end()
  }

  /** Drops all values that wait, and the gaps between them. */
  dropAll(): void {
    this.#values.length = 0
    this.#gaps = 0
  }

  /** Ends at once: what waits is dropped, also an error. */
  end(): void {
    this.dropAll()
    this.#error = undefined
    this.#end()
  }

  #end(): void {
    this.#ended = true
    for (const taker of this.#takers.splice(0)) taker.resolve(DONE)
  }

  #report(gaps: number): void {
    for (let count = 0; count < gaps; count += 1) this.#onGap()
  }
}
