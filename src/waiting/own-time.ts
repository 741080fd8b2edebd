import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import type { ChannelWaiter } from '../pubsub/channel-waiter.js'

/** One of several who wait where only one of them listens. */
export interface Comer {
  /** When it came, on the monotonic clock. */
  readonly cameAt: number
}

/** What is known of a subscription that is not confirmed. */
type Unconfirmed = Pick<SubscriptionTimeoutError, 'channel' | 'elapsedMs' | 'cause'>

type Dismiss<C extends Comer> = (comer: C, error: SubscriptionTimeoutError) => void

/**
 * Waits until Redis confirms a channel, or no caller waits for that any more. Each waiter has its own time limit for it, from its arrival.
 *
 * @param comers - those who wait, in the order in which they came
 * @param dismiss - ends the waiting of one whose time is over
 */
export async function settleForAll<C extends Comer>(
  channelWaiter: ChannelWaiter,
  comers: Iterable<C>,
  timeoutMs: number,
  dismiss: Dismiss<C>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const [first] = comers
    if (channelWaiter.confirmed || first === undefined) return
    const leftMs = Math.max(0, first.cameAt + timeoutMs - performance.now())
    if (await channelWaiter.settle(leftMs, signal)) continue // something else may have woken it
    const { channel, refusal } = channelWaiter
    dismissOverdue(comers, timeoutMs, { channel, elapsedMs: Infinity, cause: refusal }, dismiss)
  }
}

/** Rejects waiters whose time is over, because a subscription was not confirmed. The others may wait on. */
export function dismissOverdue<C extends Comer>(
  comers: Iterable<C>,
  timeoutMs: number,
  { channel, elapsedMs, cause }: Unconfirmed,
  dismiss: Dismiss<C>,
): void {
  const now = performance.now()
  for (const comer of comers) {
    if (comer.cameAt + timeoutMs > now) continue // one that took a new place in Redis stands behind later ones
    const ownMs = Math.min(elapsedMs, now - comer.cameAt)
    dismiss(comer, new SubscriptionTimeoutError(channel, ownMs, cause === undefined ? {} : { cause }))
  }
}

/**
 * Since when the confirmation of the subscription of a queue is missing, for one waiter after the other. Each waiter has its own time limit for
 * that, from its arrival, with any number of failed waiters before it.
 */
export class OwnTimes {
  #since: number | undefined

  /** One begins to listen. Returns from when on its time counts, on the monotonic clock. */
  begin({ cameAt }: Comer): number {
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
