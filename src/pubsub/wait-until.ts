import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import type { Deadline } from '../util/deadline.js'
import type { Seat } from './seat.js'

/** What came of trying once. */
export type Attempt<T> =
  | { readonly done: true; readonly value: T }
  /** Not yet; there is no use in trying again sooner than in so many milliseconds, unless news comes. */
  | { readonly done: false; readonly retryInMs: number }

export interface Waiting<T> {
  readonly attempt: () => Promise<Attempt<T>>
  readonly deadline: Deadline
  readonly signal?: AbortSignal | undefined
  /** How long the subscription may take, in milliseconds. */
  readonly subscriptionTimeoutMs: number
  /** Known already to be in vain for so long; then the first thing to do is to sleep, where the seat is listening already. */
  readonly retryInMs?: number | undefined
}

/**
 * The one loop that waits: try, sleep until there is news or it is time, try again.
 *
 * News is only a hint, and may get lost; every sleep has an end of its own. Answers undefined when the deadline passed.
 */
export async function waitUntil<T>(seat: Seat, waiting: Waiting<T>): Promise<T | undefined> {
  const { attempt, deadline, signal } = waiting
  let retryInMs = seat.confirmed ? waiting.retryInMs : undefined // what ends the wait for the subscription is news itself
  if (!(await settled(seat, waiting))) return undefined
  for (;;) {
    signal?.throwIfAborted()
    if (retryInMs === undefined) {
      const next = await attempt() // also at first: the news may have been out before we sat down
      if (next.done) return next.value
      retryInMs = next.retryInMs
    }
    if (deadline.passed) return undefined
    await seat.sleep(deadline.within(retryInMs), signal)
    retryInMs = undefined
  }
}

/** Whether there was anything to look for before the deadline. Too slow a subscription is an error. */
async function settled<T>(
  seat: Seat,
  { deadline, signal, subscriptionTimeoutMs }: Waiting<T>,
): Promise<boolean> {
  const startedAt = performance.now()
  const patienceMs = deadline.within(subscriptionTimeoutMs)
  if (await seat.settle(patienceMs, signal)) return true
  if (patienceMs < subscriptionTimeoutMs) return false // the deadline's, though a timer may have been early by a moment
  throw new SubscriptionTimeoutError(seat.channel, performance.now() - startedAt)
}
