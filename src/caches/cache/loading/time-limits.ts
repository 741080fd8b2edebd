import { OverdueWaiters, type OverdueWaiter } from '../../../connection/requests/overdue-waiters.js'

/** What has a limited time. */
interface Limited extends OverdueWaiter {
  readonly limitMs: number
  /** Its time is over. */
  end(): void
}

/** How many limits are kept. */
const MOST = 10

/** Bounds the time of lookups. Those with the same limit share one timer: one for each would cost more than all the rest of it. */
export class TimeLimits {
  readonly #limits = new Map<number, OverdueWaiters<Limited>>()

  begin(limited: Limited): void {
    if (limited.limitMs !== Infinity) this.#waitersFor(limited.limitMs).add(limited)
  }

  /** Ends what has begun before its time is over. */
  end(limited: Limited): void {
    const waiters = this.#limits.get(limited.limitMs)
    waiters?.delete(limited)
    if (waiters?.isEmpty === true) this.#drop(limited.limitMs)
  }

  #waitersFor(ms: number): OverdueWaiters<Limited> {
    const known = this.#limits.get(ms)
    if (known !== undefined) return known
    const waiters = new OverdueWaiters<Limited>((limited) => {
      limited.end()
    })
    this.#limits.set(ms, waiters)
    return waiters
  }

  /** A program may have a limit of its own for each call: none is kept when there are many. */
  #drop(ms: number): void {
    if (this.#limits.size <= MOST) return
    this.#limits.get(ms)?.clear()
    this.#limits.delete(ms)
  }
}
