import { OverdueWaiters } from '../../../connection/requests/overdue-waiters.js'

/** A lookup that has no result yet. */
interface Waiter {
  readonly overdueAt: number
  readonly giveUp: () => void
}

/** Bounds the time of lookups. Those with the same limit share one timer: one for each would cost more than all the rest of it. */
export class TimeLimits {
  readonly #limits = new Map<number, OverdueWaiters<Waiter>>()

  /** @throws what `late` returns when the time is over */
  within<T>(ms: number, lookup: Promise<T>, late: (elapsedMs: number) => Error): Promise<T> {
    if (ms === Infinity) return lookup
    const waiters = this.#waitersFor(ms)
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const giveUp = () => {
        reject(late(performance.now() - startedAt))
      }
      const waiter = { overdueAt: startedAt + ms, giveUp }
      const end = () => {
        waiters.delete(waiter)
        if (waiters.size === 0) this.#endLater(ms)
      }
      waiters.add(waiter)
      lookup.then(
        (value) => {
          end()
          resolve(value)
        },
        (error: unknown) => {
          end()
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the same that it has rejected with
          reject(error)
        },
      )
    })
  }

  #waitersFor(ms: number): OverdueWaiters<Waiter> {
    const known = this.#limits.get(ms)
    if (known !== undefined) return known
    const waiters = new OverdueWaiters<Waiter>(({ giveUp }) => {
      giveUp()
    })
    this.#limits.set(ms, waiters)
    return waiters
  }

  /** A program may have a limit of its own for each call: none is kept when there are many. */
  #endLater(ms: number): void {
    if (this.#limits.size <= MOST) return
    this.#limits.get(ms)?.clear()
    this.#limits.delete(ms)
  }
}

/** How many limits are kept. */
const MOST = 10
