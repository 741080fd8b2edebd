import type { ChannelWaiter } from '../pubsub/channel-waiter.js'
import { OwnTimes } from './own-time.js'
import { waitUntil, type Attempt, type Occasion } from './wait-until.js'
import type { Deadline } from '../util/time/deadline.js'
import type { Config } from '../config/config.js'
import { isOutage } from '../core/holds/outage.js'
import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import { Waiter, Waiters } from './waiters.js'

/** One of a queue. Its turn comes when it is the first. */
export class QueuedWaiter extends Waiter {
  /** Where the first one listens. */
  channelWaiter: ChannelWaiter | undefined
  /** For how long a request was known to fail when it became the first, in milliseconds. */
  retryInMs: number | undefined
}

/** What one of a queue waits for, and for how long. */
export interface Waiting<T> {
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
  readonly attempt: (occasion: Occasion) => Promise<Attempt<T>>
  /** Whether it tries as soon as it is the first, even if that is known to fail. */
  readonly asksAtOnce?: boolean
  /** What it tries where the queue was empty, before it subscribes; undefined if the waiting begins with the subscription. */
  readonly tryFirst?: (() => Promise<Attempt<T>>) | undefined
  /** For how long the next in the queue need not try, now that this one has got what it waited for; undefined if it should. */
  readonly retryNextInMs: (value: T) => number | undefined
}

/**
 * The waiters of this process for one thing, first come, first served.
 *
 * Only the first of them subscribes and sends requests, so that fifty waiters are one to the server. That includes the first try of one that
 * finds the queue empty: those who come while it is under way stand behind it. If the first finds that Redis cannot be reached,
 * it rejects all that waited when its request began: they have sent nothing, and each of them would need as long to find out. For the
 * confirmation of the channel each has its own time.
 */
export class WaitQueue<P extends QueuedWaiter = QueuedWaiter> {
  readonly #config: Pick<Config, 'subscriptionTimeoutMs'>
  readonly #listen: () => ChannelWaiter
  readonly #waiters = new Waiters<P>()
  readonly #ownTimes = new OwnTimes()

  /** @param listen - has the first of the queue listen */
  constructor(config: Pick<Config, 'subscriptionTimeoutMs'>, listen: () => ChannelWaiter) {
    this.#config = config
    this.#listen = listen
  }

  get length(): number {
    return this.#waiters.size
  }

  get isEmpty(): boolean {
    return this.#waiters.isEmpty
  }

  get first(): P | undefined {
    return this.#waiters.first
  }

  /** Waits in the queue, then for the thing; returns undefined when the deadline has passed. */
  async wait<T>(waiter: P, waiting: Waiting<T>): Promise<T | undefined> {
    this.#waiters.add(waiter)
    let got: T | undefined
    try {
      if (this.first === waiter) {
        const first = await waiting.tryFirst?.() // no other has waited for what this finds out, which concerns no other
        if (first?.done === true) return (got = first.value)
        if (first !== undefined && waiting.deadline.passed) return undefined
        this.#promote(waiter, undefined)
      }
      return (got = await this.#contend(waiter, waiting))
    } finally {
      this.#leave(waiter, got === undefined ? undefined : waiting.retryNextInMs(got))
    }
  }

  async #contend<T>(waiter: P, waiting: Waiting<T>): Promise<T | undefined> {
    const { deadline, signal } = waiting
    if (!(await waiter.turn.wait(deadline.within(Infinity), signal)) || waiter.channelWaiter === undefined)
      return undefined
    const { subscriptionTimeoutMs } = this.#config
    const since = this.#ownTimes.begin(waiter)
    const retryInMs = waiting.asksAtOnce === true ? undefined : waiter.retryInMs
    let last = this.#waiters.latest
    const attempt = (occasion: Occasion) => {
      last = this.#waiters.latest
      return waiting.attempt(occasion)
    }
    try {
      const got = await waitUntil(waiter.channelWaiter, {
        attempt,
        deadline,
        signal,
        subscriptionTimeoutMs,
        since,
        retryInMs,
      })
      this.#ownTimes.end(waiter.channelWaiter)
      return got
    } catch (error) {
      this.#ownTimes.end(waiter.channelWaiter, error)
      const behind = (number: number) => this.#waiters.upTo(number).filter((other) => other !== waiter)
      if (error instanceof SubscriptionTimeoutError)
        this.#waiters.rejectOverdue(error, subscriptionTimeoutMs, behind(Infinity))
      else if (isOutage(error, waiting)) this.#waiters.reject(behind(last), error)
      throw error
    }
  }

  /** The next one listens before this one leaves, so that the channel stays subscribed and no message is missed. */
  #leave(waiter: P, retryNextInMs: number | undefined): void {
    const wasFirst = this.first === waiter
    this.#waiters.delete(waiter)
    const next = this.#waiters.first
    if (wasFirst && next !== undefined) this.#promote(next, retryNextInMs)
    waiter.channelWaiter?.leave()
  }

  #promote(waiter: P, retryInMs: number | undefined): void {
    waiter.retryInMs = retryInMs
    try {
      waiter.channelWaiter = this.#listen()
      waiter.turn.set()
    } catch (error) {
      waiter.turn.fail(error as Error) // the client is being shut down
    }
  }
}
