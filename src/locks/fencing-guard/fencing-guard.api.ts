/** The reply of Redis to a command that a {@link FencingGuard} has allowed. */
export type GuardedReply = string | number | undefined | readonly GuardedReply[]

/**
 * Keeps late holders of an {@link RFencedLock} away from one key of Redis.
 *
 * It remembers the largest token that it has seen, beside the key that it guards, and lets through only what comes with that
 * token or a larger one. It works where all writes of the key go through a guard.
 */
export interface FencingGuard {
  /** The key that it guards, as the program gave it. */
  readonly name: string

  /**
   * Carries out a command on the guarded key, in the same step in which the token is checked.
   *
   * @param token - the {@link FencedHold.fencingToken} of the owner
   * @param command - a command whose first argument is a key, such as `SET` or `HINCRBY`
   * @param operands - what follows the key, 7999 at most
   * @returns the reply of Redis, bytes read as UTF-8
   * @throws {@link StaleTokenError} if a larger token has been seen; nothing was changed
   * @throws RangeError for more operands; nothing is sent
   */
  run(
    token: number,
    command: string,
    ...operands: readonly (string | number | Uint8Array)[]
  ): Promise<GuardedReply>

  /**
   * Records a token, and returns whether it is at least as large as all earlier ones.
   *
   * For work outside Redis, `true` only means that no newer holder has called this until now. A newer holder
   * may come between this reply and the work. If the work is a command of Redis, use
   * {@link FencingGuard.run}.
   */
  accepts(token: number): Promise<boolean>

  /** Returns the largest token that was seen; 0 if none was. */
  getLastToken(): Promise<number>
}
