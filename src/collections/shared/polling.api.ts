/** How long a call waits for a value. */
export interface PollOptions {
  /**
   * Milliseconds to wait for a value; `Infinity` for as long as it takes.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue 0
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting, which rejects with the reason of the signal. No value is removed after that. */
  readonly signal?: AbortSignal | undefined
}

/** How a call waits that has no end of its own. */
export interface TakeOptions {
  /** Ends the waiting, which rejects with the reason of the signal. No value is removed after that. */
  readonly signal?: AbortSignal | undefined
}
