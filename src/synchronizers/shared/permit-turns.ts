/** How often permits pass on inside the process before a release goes to Redis. */
const TURNS = 32

/** For how long they do, in milliseconds. */
const LONGEST_MS = 100

/**
 * Says when permits may pass from one caller of this process to another, without a request.
 *
 * They may as long as no other process listens for them, which the reply to a release says. A process that begins to listen meanwhile
 * waits for the next release that goes to Redis. Where other processes wait, all permits go to Redis, and the first request gets them.
 */
export class PermitTurns {
  #left = 0
  /** Until when, on the monotonic clock. */
  #until = -Infinity

  /** Whether permits may pass on. */
  get any(): boolean {
    return this.#left > 0 && performance.now() < this.#until
  }

  /** Notes that permits have passed on. */
  take(): void {
    this.#left -= 1
  }

  /** Notes that permits have gone to Redis. */
  begin(isAlone: boolean): void {
    this.#left = isAlone ? TURNS : 0
    this.#until = performance.now() + LONGEST_MS
  }
}
