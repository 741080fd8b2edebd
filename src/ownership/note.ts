import type { Thread } from './thread.js'

/**
 * The trace that one plain `lock()` leaves in the asynchronous context of its caller.
 *
 * It answers "is this mine to release?" and nothing else. It is no evidence for re-entry, because a note also reaches
 * whoever called the caller.
 */
export class Note {
  readonly lock: string
  readonly thread: Thread
  #phase: 'pending' | 'held' | 'over' = 'pending'

  constructor(lock: string, thread: Thread) {
    this.lock = lock
    this.thread = thread
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

  /** The lock was taken. */
  hold(): void {
    this.#phase = 'held'
  }

  /** The lock was not taken, or has been released. */
  end(): void {
    this.#phase = 'over'
  }
}
