import { settledInTime, type Until } from '../../waiting/settled-in-time.js'

/** A call that waits, to which another call may hand what it has found. */
export class Receiver {
  readonly #handing = new AbortController()
  #received: unknown
  /** Settles with its own removal. */
  #removing: Promise<unknown> | undefined

  /** Aborts when something was handed over. */
  get signal(): AbortSignal {
    return this.#handing.signal
  }

  /** What was handed over; undefined if nothing was. */
  get received(): unknown {
    return this.#received
  }

  /** Takes a value, unless it has one. A removal of its own that is under way is waited for. Returns whether it has taken the value. */
  async take(value: unknown, until: Until): Promise<boolean> {
    if (this.#removing !== undefined && !(await settledInTime(this.#removing, until).catch(() => false)))
      return false
    if (!this.#isFree) return false
    this.#received = value
    this.#handing.abort()
    return true
  }

  /** Removes something itself. It takes nothing meanwhile, nor after it has found something or failed. */
  async remove<R>(removal: () => Promise<R | undefined>): Promise<R | undefined> {
    if (!this.#isFree) return undefined
    const removing = removal()
    this.#removing = removing
    const found = await removing
    if (found === undefined) this.#removing = undefined
    return found
  }

  get #isFree(): boolean {
    return this.#removing === undefined && this.#received === undefined
  }
}

/** The calls of a client that wait, in the order in which they came. Those of one line wait for the same, so that what one finds is as good for another. */
export class Receivers {
  readonly #lines = new Map<string, Set<Receiver>>()

  add(line: string, receiver: Receiver): void {
    const waiting = this.#lines.get(line) ?? new Set<Receiver>()
    waiting.add(receiver)
    this.#lines.set(line, waiting)
  }

  delete(line: string, receiver: Receiver): void {
    const waiting = this.#lines.get(line)
    waiting?.delete(receiver)
    if (waiting?.size === 0) this.#lines.delete(line)
  }

  /** Hands a value to the first call that takes it. Returns false if there is none. */
  async handOver(line: string, value: unknown, until: Until): Promise<boolean> {
    for (const receiver of this.#lines.get(line) ?? []) {
      if (!(await receiver.take(value, until))) continue
      this.delete(line, receiver)
      return true
    }
    return false
  }
}
