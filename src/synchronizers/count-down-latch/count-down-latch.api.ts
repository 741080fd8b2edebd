import type { RDumpable, RObject } from '../../api/object.js'

/** Options to wait for a latch. */
export interface AwaitOptions {
  /**
   * Milliseconds to wait.
   * It also bounds the time to reach Redis: without a reply in that time the call rejects.
   *
   * @defaultValue none: as long as it takes; 0, or less, for one attempt
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A count that all clients of the same servers share, in Node and in Java, and that many can wait for to reach zero.
 *
 * The waiters in one process are one to the server, and are all released by the same message. They check again every five
 * seconds, in case a message got lost. A latch that was never set, that has reached zero or that was deleted has the count 0,
 * and releases all waiters. It may be set again then; a waiter that has not noticed the zero in between waits for the next one.
 *
 * Every method rejects with a {@link WrongTypeError} if the name belongs to something else, and with a
 * {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached.
 */
export interface RCountDownLatch extends RObject, RDumpable {
  /** Sets the count if there is none. Returns whether it did: false, if the latch is still counting down. */
  trySetCount(count: number): Promise<boolean>

  /** Lowers the count by one; with the last one all waiters are released. A count of zero stays as it is. */
  countDown(): Promise<void>

  /**
   * Waits until the count is zero. Returns true then, and false if the time was over first.
   *
   * @param waitMs - see {@link AwaitOptions.waitMs}; 0 or less looks once
   */
  await(waitMs?: number): Promise<boolean>
  /** Waits until the count is zero. Returns true then, and false if the time was over first. */
  await(options: AwaitOptions): Promise<boolean>

  /** Returns the count; 0 if there is none. */
  getCount(): Promise<number>

  /**
   * Removes the latch, and releases all waiters in a client of this library: the count is 0 for them, as it is after
   * {@link RObject.rename}. Waiters in Java are not released. Returns whether there was a count.
   */
  delete(): Promise<boolean>
}
