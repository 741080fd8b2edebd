import { setImmediate } from 'node:timers/promises'
import { ClientClosedError } from '../../errors/client-errors.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { Deadline } from '../../util/time/deadline.js'

/** Counts the requests that have no result yet, and lets none begin once the client is closed. */
export class OpenRequests {
  readonly #closing = new AbortController()
  readonly #whenIdle = new Set<() => void>()
  #count = 0

  /** Aborts with a {@link ClientClosedError} when no request may begin any more. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get isIdle(): boolean {
    return this.#count === 0
  }

  /** @throws {@link ClientClosedError} */
  begin(): void {
    this.#closing.signal.throwIfAborted()
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count === 0) for (const wake of this.#whenIdle) wake()
  }

  /** Resolves when no request is open, and what follows at once from the last replies has begun; or when the time is over. */
  async idle(deadline: Deadline): Promise<void> {
    const sleeper = new AutoResetEvent()
    const wake = () => {
      sleeper.set()
    }
    this.#whenIdle.add(wake)
    while (this.#count > 0 && !deadline.passed) {
      await sleeper.wait(deadline.within(Infinity))
      await setImmediate()
    }
    this.#whenIdle.delete(wake)
  }

  close(): void {
    this.#closing.abort(new ClientClosedError())
  }
}
