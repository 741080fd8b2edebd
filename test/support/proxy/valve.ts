/** One direction of a proxy: what it does to everything that passes. */
export class Valve {
  /** Milliseconds that everything takes longer. */
  delayMs = 0
  /** Whether what comes is taken and not passed on. */
  swallows = false
  #closed: PromiseWithResolvers<undefined> | undefined

  get stalled(): boolean {
    return this.#closed !== undefined
  }

  stall(): void {
    this.#closed ??= Promise.withResolvers()
  }

  resume(): void {
    this.#closed?.resolve(undefined)
    this.#closed = undefined
  }

  /** Resolves when nothing holds back what arrived at that moment. */
  async passable(arrivedAt: number): Promise<void> {
    for (;;) {
      const restMs = arrivedAt + this.delayMs - performance.now()
      if (this.#closed) await this.#closed.promise
      else if (this.delayMs > 0 && restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
      else return
    }
  }
}
