import { takeBack, type Abandoned } from './compensation.js'
import type { LockContext } from '../core/context/object-context.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'
import type { Deadline } from '../util/time/deadline.js'
import { raceAbort } from '../util/abort/race-abort.js'

/**
 * For how long a release of what reached no caller is tried, in milliseconds. Permits never end by themselves, so
 * that what is not released within that time is lost until a program adds it again.
 */
export const UNDO_WITHIN_MS = 600_000

interface Acquiring<T> extends Omit<Abandoned<T>, 'undoWithinMs' | 'awaited'> {
  /** Ends the waiting for the reply. */
  readonly signal: AbortSignal | undefined
}

/** Acquires things without a lease for callers that may give up: what reaches no caller is released. */
export class Compensations {
  readonly #closing: AbortSignal
  /** How many are not over: neither with a caller nor released. */
  #open = 0
  readonly #idle = new AutoResetEvent()

  constructor({ closing, onClose }: LockContext) {
    this.#closing = closing
    onClose((deadline) => this.#settled(deadline))
  }

  /** Rejects at once when the caller gives up, or no reply comes. What the request took is released meanwhile. */
  async acquireOrCompensate<T>(taking: Acquiring<T>): Promise<T> {
    this.#open += 1
    try {
      const taken = await raceAbort(taking.answer, taking.signal)
      this.#closing.throwIfAborted() // the caller could not release it any more
      this.#end()
      return taken
    } catch (error) {
      void takeBack({ ...taking, undoWithinMs: UNDO_WITHIN_MS, awaited: this.#closing }).then(() => {
        this.#end()
      })
      throw error
    }
  }

  /** Releases, in the background, what a reply granted without a caller. */
  compensate(giveBack: () => Promise<unknown>): void {
    this.#open += 1
    void giveBack()
      .catch(() => undefined)
      .then(() => {
        this.#end()
      })
  }

  /** Waits until nothing is open any more, or the deadline has passed. */
  async #settled(deadline: Deadline): Promise<void> {
    while (this.#open > 0 && !deadline.passed) await this.#idle.wait(deadline.within(Infinity))
  }

  #end(): void {
    this.#open -= 1
    if (this.#open === 0) this.#idle.set()
  }
}
