import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectContext } from '../../../core/context/object-context.js'
import { timerDelay } from '../../../util/time/timers.js'

/** What flushes and ends when the client does. */
export interface Flushable {
  flush(): Promise<void>
  /** Begins nothing by itself any more. */
  stop(): void
}

/** How long after a look at a map it is not looked at again, in milliseconds. */
const LOOK_AGAIN_MS = 30_000

/** Of how many maps it is known when they were looked at. The oldest is forgotten, and looked at again sooner. */
const MOST_LOOKS = 1_000

/** The maps of a client of which changes wait to be written behind. They are flushed when the client ends, for as long as it has time. */
export class WriteBehinds {
  readonly closing: AbortSignal
  readonly #waiting = new Set<Flushable>()
  /** When maps were last looked at, by key, on the monotonic clock. */
  readonly #looks = new Map<string, number>()

  constructor({ closing, onClose }: ObjectContext) {
    this.closing = closing
    onClose(async (deadline) => {
      const waiting = [...this.#waiting]
      for (const each of waiting) each.stop()
      const flushed = waiting.map((each) => each.flush())
      const over = new AbortController()
      const time = sleep(timerDelay(deadline.within(Infinity)), undefined, { signal: over.signal }).catch(
        () => undefined,
      )
      await Promise.race([Promise.allSettled(flushed), time])
      over.abort()
    })
  }

  /** Whether a map is to be looked at for what another process has left. That is not so again for half a minute. */
  isTimeToLook(key: string): boolean {
    const now = performance.now()
    if (now - (this.#looks.get(key) ?? -Infinity) < LOOK_AGAIN_MS) return false
    this.#looks.delete(key)
    this.#looks.set(key, now)
    const [oldest] = this.#looks.keys()
    if (this.#looks.size > MOST_LOOKS && oldest !== undefined) this.#looks.delete(oldest)
    return true
  }

  add(waiting: Flushable): void {
    this.#waiting.add(waiting)
  }

  delete(waiting: Flushable): void {
    this.#waiting.delete(waiting)
  }
}
