import { afterRunning } from '../../util/time/after-running.js'

/**
 * Something that waits until a certain time: an entry of a list, which links its neighbours.
 *
 * A set would be slower. It copies its table again and again, and V8 may move an outgrown one to its old generation: that, and all tables that
 * follow it, would keep what has waited until the whole heap is collected.
 */
export interface OverdueWaiter {
  /** When its time is over, on the monotonic clock. */
  readonly overdueAt: number
  previous?: OverdueWaiter | undefined
  next?: OverdueWaiter | undefined
}

/** Waiters with the same timeout, so that the first of them is overdue first. */
export class OverdueWaiters<W extends OverdueWaiter> {
  /** In the order in which they began to wait. */
  #first: W | undefined
  #last: W | undefined
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

  get isEmpty(): boolean {
    return this.#first === undefined
  }

  /** All of them, as they are now: what is removed meanwhile is among them. */
  [Symbol.iterator](): Iterator<W> {
    return this.#all().values()
  }

  add(waiter: W): void {
    if (this.#last === undefined) this.#first = waiter
    else this.#last.next = waiter
    waiter.previous = this.#last
    this.#last = waiter
    this.#stopLooking ??= this.#lookIn(waiter.overdueAt - performance.now())
  }

  /** Removes a waiter, if it is there. */
  delete(waiter: W): void {
    const { previous, next } = waiter
    if (previous === undefined && this.#first !== waiter) return
    if (previous === undefined) this.#first = next as W | undefined
    else previous.next = next
    if (next === undefined) this.#last = previous as W | undefined
    else next.previous = previous
    waiter.previous = waiter.next = undefined
  }

  /** Stops the timer. Returns the waiters that were left. */
  clear(): readonly W[] {
    this.#stopLooking?.()
    const waiters = this.#all()
    for (const waiter of waiters) this.delete(waiter)
    return waiters
  }

  #all(): readonly W[] {
    const waiters: W[] = []
    for (let waiter = this.#first; waiter !== undefined; waiter = waiter.next as W | undefined)
      waiters.push(waiter)
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
    for (const waiter of this.#all()) {
      if (waiter.overdueAt > now) {
        this.#stopLooking = this.#lookIn(waiter.overdueAt - now)
        break
      }
      overdue.push(waiter)
    }
    for (const waiter of overdue) {
      this.delete(waiter)
      this.#giveUp(waiter) // which may add it anew
    }
  }
}
