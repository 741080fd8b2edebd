/** What is made when it is first wanted, and again after it has failed or was forgotten. */
export class Memoized<T> {
  readonly #make: () => Promise<T>
  #made: Promise<T> | undefined

  constructor(make: () => Promise<T>) {
    this.#make = make
  }

  get(): Promise<T> {
    if (this.#made !== undefined) return this.#made
    const made = this.#make()
    this.#made = made
    made.catch(() => {
      if (this.#made === made) this.#made = undefined
    })
    return made
  }

  /** What is being made still reaches those who asked for it. */
  forget(): void {
    this.#made = undefined
  }
}
