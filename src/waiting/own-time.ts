import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import type { ChannelWaiter } from '../pubsub/channel-waiter.js'
import type { Waiter } from './waiters.js'

/**
 * Since when the confirmation of the subscription of a queue is missing, for one waiter after the other. Each waiter has its own time limit for
 * that, from its arrival, with any number of failed waiters before it.
 */
export class OwnTimes {
  #since: number | undefined

  /** One begins to listen. Returns from when on its time counts, on the monotonic clock. */
  begin({ cameAt }: Waiter): number {
    this.#since ??= performance.now()
    return Math.max(cameAt, this.#since)
  }

  /** One listens no more, perhaps because of an error. */
  end({ confirmed }: ChannelWaiter, error?: unknown): void {
    if (error instanceof SubscriptionTimeoutError) this.#since = performance.now() - error.elapsedMs
    else if (confirmed) this.#since = undefined
  }

  /** No one has to listen for now. */
  reset(): void {
    this.#since = undefined
  }
}
