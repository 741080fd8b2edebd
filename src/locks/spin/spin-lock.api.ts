/** How long a waiter pauses between two attempts. */
export type Backoff =
  | {
      /** The same every time. */
      readonly type: 'constant'
      /**
       * Milliseconds.
       *
       * @defaultValue 64
       */
      readonly delayMs?: number | undefined
    }
  | {
      /** Longer from attempt to attempt, with a little chance, up to a longest one. */
      readonly type: 'exponential'
      /**
       * Milliseconds before the second attempt.
       *
       * @defaultValue 1
       */
      readonly initialDelayMs?: number | undefined
      /**
       * Milliseconds that no pause exceeds.
       *
       * @defaultValue 128
       */
      readonly maxDelayMs?: number | undefined
      /**
       * How much longer each pause is than the one before.
       *
       * @defaultValue 2
       */
      readonly multiplier?: number | undefined
    }

/** How a spin lock waits. */
export interface SpinLockOptions {
  /**
   * The pauses between attempts.
   *
   * @defaultValue `{ type: 'exponential' }`
   */
  readonly backoff?: Backoff | undefined
}
