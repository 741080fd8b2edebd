import { setTimeout as sleep } from 'node:timers/promises'
import { orUndone } from '../core/or-undone.js'

/**
 * For how long it is tried to give back what reached nobody, in milliseconds. Permits never end by themselves, so that what a
 * server cannot be told within that time is lost until somebody adds it again.
 */
export const UNDO_WITHIN_MS = 600_000

type Taking<T> = Omit<Parameters<typeof orUndone<T>>[0], 'undoWithinMs' | 'onTakingBack'>

/** Takes things that never end by themselves for callers who may give up: what reaches nobody is given back. */
export class Takings {
  readonly #patienceMs: number
  readonly #takingBack = new Set<Promise<void>>()

  /** At the end it is waited for so many milliseconds until everything is given back. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  take<T>(taking: Taking<T>): Promise<T> {
    return orUndone({
      ...taking,
      undoWithinMs: UNDO_WITHIN_MS,
      onTakingBack: (takingBack) => {
        this.#takingBack.add(takingBack)
        void takingBack.then(() => this.#takingBack.delete(takingBack)) // it never rejects
      },
    })
  }

  /** Waits until everything is given back, if Redis can be told so. */
  async close(): Promise<void> {
    const enough = new AbortController()
    const tooLong = sleep(this.#patienceMs, undefined, { signal: enough.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#takingBack), tooLong])
    enough.abort()
  }
}
