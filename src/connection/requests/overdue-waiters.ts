import { afterRunning } from '../../util/time/after-running.js'

/** Something that waits until a certain time. */
interface Waiter {
  /** When its time is over, on the monotonic clock. */
  readonly overdueAt: number
}

/** Waiters with the same timeout, so that the first of them is overdue first. */
export class OverdueWaiters<W extends Waiter> {
  /** In the order in which they began to wait. */
  readonly #waiters = new Set<W>()
  readonly #giveUp: (waiter: W) => void
  /**
   * Stops the timer. One timer serves all waiters: one for each would cost more than the rest of a request, and hardly one ever fires. It
   * may go on when nothing waits any more, and keeps no process alive; for waiters the connection does.
   */
  #stopLooking: (() => void) | undefined

  /** @param giveUp - is called with each overdue waiter after its removal, and may add it again with a later time */
  constructor(giveUp: (waiter: W) => void) {
    this.#giveUp = giveUp
  }

  get size(): number {
    return this.#waiters.size
  }

  [Symbol.iterator](): Iterator<W> {
    return this.#waiters.values()
  }

  add(waiter: W): void {
    this.#waiters.add(waiter)
    this.#stopLooking ??= this.#lookIn(waiter.overdueAt - performance.now())
  }

  delete(waiter: W): void {
    this.#waiters.delete(waiter)
  }

  /** Stops the timer. Returns the waiters that were left. */
  clear(): readonly W[] {
    this.#stopLooking?.()
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    return waiters
  }

  #lookIn(ms: number): () => void {
    return afterRunning(ms, () => {
      this.#look()
    })
  }

  /** Gives up all that are overdue, and looks again when the next one is. */
  #look(): void {
    this.#stopLooking = undefined
    const now = performance.now()
    const overdue: W[] = []
    for (const waiter of this.#waiters) {
      if (waiter.overdueAt > now) {
        this.#stopLooking = this.#lookIn(waiter.overdueAt - now)
        break
      }
      overdue.push(waiter)
    }
    for (const waiter of overdue) {
      this.#waiters.delete(waiter)
      this.#giveUp(waiter) // which may add it anew
    }
  }
}
