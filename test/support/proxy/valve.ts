/** One direction of a proxy: what it does to everything that passes. */
export class Valve {
  /** Milliseconds that everything takes longer. */
  delayMs = 0
  /** Whether what comes is taken and not passed on. */
  swallows = false
  #closed: PromiseWithResolvers<undefined> | undefined
  #bytesLeft = Infinity

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

  /** Has the connection cut that carries the byte after that number of them, once. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes
  }

  /** Whether a {@link Valve.cutAfter} is still to come. */
  get cuts(): boolean {
    return this.#bytesLeft !== Infinity
  }

  /** Returns the part of a frame that passes before the connection is cut: all of it, as a rule. */
  part(frame: Buffer): Buffer {
    const passing = frame.subarray(0, this.#bytesLeft)
    this.#bytesLeft = passing.length < frame.length ? Infinity : this.#bytesLeft - frame.length
    return passing
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
