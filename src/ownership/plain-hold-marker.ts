import type { Thread } from './thread.js'

/** What was taken by a plain `lock()`. */
interface Noted {
  /** Returns why it was lost, if it was. */
  loss(): Error | undefined
}

/**
 * The trace that one plain `lock()` leaves in the asynchronous context of its caller.
 *
 * It allows the release of that hold, and nothing else. It is no reason to re-enter, because a marker also reaches
 * the caller of the caller.
 */
export class PlainHoldMarker {
  readonly lock: string
  readonly thread: Thread
  /** The locks that it is made of, if it is a group. */
  readonly parts: readonly string[]
  #phase: 'pending' | 'held' | 'over' = 'pending'
  #hold: Noted | undefined

  constructor(lock: string, thread: Thread, parts: readonly string[] = []) {
    this.lock = lock
    this.thread = thread
    this.parts = parts
  }

  get pending(): boolean {
    return this.#phase === 'pending'
  }

  get held(): boolean {
    return this.#phase === 'held'
  }

  get over(): boolean {
    return this.#phase === 'over'
  }

  /** Whether the hold was lost, of which the flow may not know yet. */
  isLost(): boolean {
    return this.#hold?.loss() !== undefined
  }

  /** The lock was taken. */
  hold(hold: Noted): void {
    this.#phase = 'held'
    this.#hold = hold
  }

  /** The lock was not taken, or has been released. */
  end(): void {
    this.#phase = 'over'
    this.#hold = undefined
  }
}
