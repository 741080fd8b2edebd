/**
 * The clock of a server as this process knows it: what the server said last, and what has gone by since on the monotonic clock. The time
 * of day of this process has no part in it.
 *
 * It never goes back. Where the server says that it is earlier, as after a failover to another machine, this clock runs at half the speed
 * until that is right.
 */
export class ServerClock {
  /** What to add to the monotonic clock. */
  #offset: number
  /** What the clock showed when the server was last heard of, and when that was. */
  #shown: number
  #at: number

  /**
   * @param serverMs - what the server said
   * @param at - when its reply arrived, on the monotonic clock: so this clock is behind the server's, and never ahead of it
   */
  constructor(serverMs: number, at: number) {
    this.#offset = serverMs - at
    this.#shown = serverMs
    this.#at = at
  }

  /** Learns what the server says now. */
  learn(serverMs: number, at: number): void {
    this.#shown = this.at(at)
    this.#at = at
    this.#offset = serverMs - at
  }

  /** The time at a moment on the monotonic clock, in milliseconds since 1970. */
  at(moment: number): number {
    return Math.max(moment + this.#offset, this.#shown + (moment - this.#at) / 2)
  }
}
