import type { Patience } from '../core/arguments.js'
import { ClientClosedError } from '../errors/client-errors.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Sleeper } from '../util/sleeper.js'

/** Those in this process who wait for rate limiters. Of each limiter only the first in line asks Redis. */
export class RateLines {
  readonly #lines = new Map<string, Sleeper[]>()
  #closed = false

  /** Waits in line, then tries until it is granted; answers false when the time is over. */
  async wait(
    key: string,
    attempt: () => Promise<Attempt<true>>,
    { deadline, signal }: Patience,
  ): Promise<boolean> {
    if (this.#closed) throw new ClientClosedError()
    const place = new Sleeper()
    const line = this.#lines.get(key) ?? []
    this.#lines.set(key, line)
    line.push(place)
    try {
      if (line.length > 1 && !(await place.sleep(deadline.within(Infinity), signal))) return false
      for (;;) {
        const next = await attempt()
        if (next.done) return true
        if (deadline.passed) return false
        await place.sleep(deadline.within(next.retryInMs), signal)
      }
    } finally {
      this.#leave(key, line, place)
    }
  }

  /** Has the first in line look at once, because there may be more than it knows of. */
  wake(key: string): void {
    this.#lines.get(key)?.[0]?.wake()
  }

  /** Sends everybody home. */
  close(): void {
    this.#closed = true
    for (const line of this.#lines.values()) {
      for (const place of line) place.dismiss(new ClientClosedError())
    }
  }

  #leave(key: string, line: Sleeper[], place: Sleeper): void {
    const wasFirst = line[0] === place
    line.splice(line.indexOf(place), 1)
    if (line.length === 0) this.#lines.delete(key)
    else if (wasFirst) line[0]?.wake()
  }
}
