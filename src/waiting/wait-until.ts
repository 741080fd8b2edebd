import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import type { Deadline } from '../util/time/deadline.js'
import type { ChannelWaiter } from '../pubsub/channel-waiter.js'

/** The result of one attempt. */
export type Attempt<T> =
  | { readonly done: true; readonly value: T }
  /** Not yet; a new attempt is useless for this number of milliseconds, unless a message comes. */
  | {
      readonly done: false
      readonly retryInMs: number
      /** Whether its request has no reply. */
      readonly unanswered?: boolean
    }

/** Why an attempt is made: something has changed, or it is only time to look again, as after a gap. */
export type Occasion = 'message' | 'recheck'

export interface Waiting<T> {
  readonly attempt: (occasion: Occasion) => Promise<Attempt<T>>
  readonly deadline: Deadline
  readonly signal?: AbortSignal | undefined
  /** How long the subscription may take, in milliseconds. */
  readonly subscriptionTimeoutMs: number
  /** From when on that counts, on the monotonic clock; from now on where not said. */
  readonly since?: number | undefined
  /** For how long an attempt is known to fail; it then sleeps first, where the channel is subscribed already. */
  readonly retryInMs?: number | undefined
}

/**
 * The one loop that waits: try, sleep until there is a message or it is time, try again.
 *
 * A message is only a hint, and may get lost; every sleep has an end of its own. Returns undefined when the deadline passed.
 */
export async function waitUntil<T>(
  channelWaiter: ChannelWaiter,
  waiting: Waiting<T>,
): Promise<T | undefined> {
  const { attempt, deadline, signal } = waiting
  let retryInMs = channelWaiter.confirmed ? waiting.retryInMs : undefined // the end of the wait for the subscription counts as a message
  let occasion: Occasion = 'message' // also at first: one may have been sent before the subscription
  if (!(await settled(channelWaiter, waiting))) return undefined
  for (;;) {
    signal?.throwIfAborted()
    if (retryInMs === undefined) {
      const next = await attempt(occasion)
      if (next.done) return next.value
      retryInMs = next.retryInMs
    }
    if (deadline.passed) return undefined
    await channelWaiter.wait(deadline.within(retryInMs), signal)
    occasion = channelWaiter.takeMessage() ? 'message' : 'recheck'
    if (deadline.passedJustNow) return undefined // there is no time for a reply
    retryInMs = undefined
  }
}

/** Whether there was anything to look for before the deadline. Too slow a subscription is an error. */
async function settled<T>(
  channelWaiter: ChannelWaiter,
  { deadline, signal, subscriptionTimeoutMs, since = performance.now() }: Waiting<T>,
): Promise<boolean> {
  const leftMs = Math.max(0, since + subscriptionTimeoutMs - performance.now())
  const patienceMs = deadline.within(leftMs)
  if (await channelWaiter.settle(patienceMs, signal, deadline)) return true
  if (patienceMs < leftMs || deadline.passed) return false // the deadline's, though a timer may have been early by a moment
  const { channel, refusal } = channelWaiter
  throw new SubscriptionTimeoutError(channel, performance.now() - since, refusal && { cause: refusal })
}
