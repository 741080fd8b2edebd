import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectContext } from '../../../core/object-context.js'

/** What flushes and ends when the client does. */
export interface Flushable {
  flush(): Promise<void>
  /** Begins nothing by itself any more. */
  stop(): void
}

/** The maps of a client of which changes wait to be written behind. They are flushed when the client ends, for as long as it has time. */
export class WriteBehinds {
  readonly closing: AbortSignal
  readonly #waiting = new Set<Flushable>()

  constructor({ closing, onClose }: ObjectContext) {
    this.closing = closing
    onClose(async (deadline) => {
      const waiting = [...this.#waiting]
      for (const each of waiting) each.stop()
      const flushed = waiting.map((each) => each.flush())
      const over = new AbortController()
      const time = sleep(deadline.within(Infinity), undefined, { signal: over.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled(flushed), time])
      over.abort()
    })
  }

  add(waiting: Flushable): void {
    this.#waiting.add(waiting)
  }

  delete(waiting: Flushable): void {
    this.#waiting.delete(waiting)
  }
}
