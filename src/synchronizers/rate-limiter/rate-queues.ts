import type { Patience } from '../../core/arguments.js'
import { isOutage, sameOutage } from '../../core/outage.js'
import { ClientClosedError } from '../../errors/client-errors.js'
import { isTransient } from '../../errors/transient.js'
import type { Attempt } from '../../waiting/wait-until.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'

/**
 * The waiters of this process for rate limiters. Of each limiter only the first sends requests. If it finds that Redis cannot be
 * reached, all that waited when its request began reject.
 */
export class RateQueues {
  readonly #lines = new Map<string, AutoResetEvent[]>()
  #closed = false

  /** Waits in the queue, then tries until it is granted; returns false when the time is over. */
  async wait(key: string, attempt: () => Promise<Attempt<true>>, patience: Patience): Promise<boolean> {
    const { deadline, signal } = patience
    if (this.#closed) throw new ClientClosedError()
    const place = new AutoResetEvent()
    const line = this.#lines.get(key) ?? []
    this.#lines.set(key, line)
    line.push(place)
    try {
      if (line.length > 1 && !(await place.wait(deadline.within(Infinity), signal))) return false
      for (let refused = false; ; refused = true) {
        const next = await toldToAll(line, attempt, patience).catch((error: unknown) => {
          // It was refused in this call, and its time is over: that is all that can be said of the rate.
          if (refused && deadline.passed && isTransient(error)) return undefined
          throw error
        })
        if (next?.done === true) return true
        if (next === undefined || deadline.passed) return false
        await place.wait(deadline.within(next.retryInMs), signal)
        if (deadline.passedJustNow) return false // there is no time for a reply
      }
    } finally {
      this.#leave(key, line, place)
    }
  }

  /** Makes the first of the queue try at once, because there may be more permits than it knows of. */
  wake(key: string): void {
    this.#lines.get(key)?.[0]?.set()
  }

  /** Rejects all waiters. */
  close(): void {
    this.#closed = true
    for (const line of this.#lines.values()) {
      for (const place of line) place.fail(new ClientClosedError())
    }
  }

  #leave(key: string, line: AutoResetEvent[], place: AutoResetEvent): void {
    const wasFirst = line[0] === place
    const index = line.indexOf(place)
    if (index >= 0) line.splice(index, 1)
    if (line.length === 0 && this.#lines.get(key) === line) this.#lines.delete(key)
    else if (wasFirst) line[0]?.set()
  }
}

/** Makes the attempt of the first waiter. If Redis cannot be reached, all that wait by then reject. */
async function toldToAll<T>(
  line: AutoResetEvent[],
  attempt: () => Promise<T>,
  patience: Patience,
): Promise<T> {
  const [, ...others] = line
  try {
    return await attempt()
  } catch (error) {
    if (isOutage(error, patience)) dismiss(line, new Set(others), error)
    throw error
  }
}

function dismiss(line: AutoResetEvent[], places: ReadonlySet<AutoResetEvent>, error: Error): void {
  const left = line.filter((place) => !places.has(place))
  line.splice(0, Infinity, ...left)
  for (const place of places) place.fail(sameOutage(error))
}
