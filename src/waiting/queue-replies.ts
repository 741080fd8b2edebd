import { isTransient } from '../errors/transient.js'
import type { Waiter } from './waiters.js'

/** A request that was given up sooner than this says nothing of Redis, in milliseconds: its caller had no time left. */
const MOMENT_MS = 100

/**
 * Records whether Redis replies to the requests of a queue. Only its first waiters send requests; the others wait behind them.
 *
 * A waiter that came after the first request without a reply knows nothing of the lock. Any other waiter knows that the lock was not free.
 */
export class QueueReplies {
  #isShared: boolean
  /** When the first request was sent that has no reply, on the monotonic clock. */
  #silentSince: number | undefined

  /** @param isShared - whether Redis has refused the waiter that opened the queue */
  constructor(isShared = false) {
    this.#isShared = isShared
  }

  /**
   * Sends a request of the queue.
   *
   * @param isReply - whether a result is a reply of Redis; so are all, where not said
   */
  ask<T>(request: () => Promise<T>, isReply: (result: T) => boolean = () => true): Promise<T> {
    const askedAt = performance.now()
    const silentBefore = this.#silentSince
    this.#silentSince ??= askedAt
    const giveUp = (): void => {
      if (performance.now() - askedAt < MOMENT_MS) this.#silentSince = silentBefore
    }
    const asked = request()
    asked.then(
      (result) => {
        if (isReply(result)) this.#heard()
        else giveUp()
      },
      (error: unknown) => {
        if (isTransient(error)) giveUp()
        else this.#silentSince = silentBefore
      },
    )
    return asked
  }

  /** Whether Redis has not replied since a waiter came. */
  isSilentFor({ cameAt }: Waiter): boolean {
    return !this.#isShared || (this.#silentSince !== undefined && this.#silentSince <= cameAt)
  }

  #heard(): void {
    this.#isShared = true
    this.#silentSince = undefined
  }
}
