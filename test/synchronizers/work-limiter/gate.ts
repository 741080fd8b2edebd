/** Functions that run until the test lets them end, and what has begun. */
export class Gate {
  /** Those that have begun, in their order. */
  readonly begun: string[] = []
  readonly #open = new Map<string, () => void>()
  #running = 0
  #most = 0

  /** How many run now. */
  get running(): number {
    return this.#running
  }

  /** How many have run at the same time. */
  get most(): number {
    return this.#most
  }

  /** A function that runs until it is let go. Returns its name. */
  task(name: string): () => Promise<string> {
    return async () => {
      this.begun.push(name)
      this.#running += 1
      this.#most = Math.max(this.#most, this.#running)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#open.set(name, resolve)
      await promise
      this.#running -= 1
      return name
    }
  }

  /** Lets one end that has begun. */
  let(name: string): void {
    const open = this.#open.get(name)
    if (open === undefined) throw new Error(`${name} has not begun`)
    this.#open.delete(name)
    open()
  }

  /** Lets all end that have begun. */
  letAll(): void {
    for (const name of this.#open.keys()) this.let(name)
  }
}
