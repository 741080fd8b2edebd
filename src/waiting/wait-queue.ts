import type { ChannelWaiter } from '../pubsub/channel-waiter.js'
import { dismissOverdue, OwnTimes, type Comer } from './own-time.js'
import { waitUntil, type Attempt, type Occasion } from './wait-until.js'
import type { Deadline } from '../util/time/deadline.js'
import { LinkedList } from '../util/collections/linked-list.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'
import type { Config } from '../config/config.js'
import { isOutage, sameOutage } from '../core/holds/outage.js'
import { SubscriptionTimeoutError } from '../errors/connection-errors.js'

/** Someone in a line. */
export class QueuedWaiter implements Comer {
  readonly cameAt = performance.now()
  /** Wakes when it is the first. */
  readonly turn = new AutoResetEvent()
  /** Where the first one listens. */
  channelWaiter: ChannelWaiter | undefined
  /** How many came before it and with it, ever. */
  number = 0
  /** For how long a request was known to fail when it became the first, in milliseconds. */
  retryInMs: number | undefined
}

export interface Waiter<T> {
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
  readonly #places = new LinkedList<P>()
  readonly #ownTimes = new OwnTimes()
  /** How many have ever joined. */
  #comers = 0

  /** @param listen - has the first of the queue listen */
  constructor(config: Pick<Config, 'subscriptionTimeoutMs'>, listen: () => ChannelWaiter) {
    this.#config = config
    this.#listen = listen
  }

  get length(): number {
    return this.#places.size
  }

  get isEmpty(): boolean {
    return this.length === 0
  }

  get first(): P | undefined {
    return this.#places.first
  }

  includes(place: P): boolean {
    return this.#places.has(place)
  }

  /** Waits in the queue, then for the thing; returns undefined when the deadline has passed. */
  async wait<T>(place: P, waiter: Waiter<T>): Promise<T | undefined> {
    place.number = this.#comers += 1
    this.#places.add(place)
    let got: T | undefined
    try {
      got = this.first === place ? await this.#begin(place, waiter) : await this.#contend(place, waiter)
      return got
    } finally {
      this.#leave(place, got === undefined ? undefined : waiter.retryNextInMs(got))
    }
  }

  /** The way of one that came first. Nobody has waited for what its first try finds out, which concerns no other. */
  async #begin<T>(place: P, waiter: Waiter<T>): Promise<T | undefined> {
    const first = await waiter.tryFirst?.()
    if (first?.done === true) return first.value
    if (first !== undefined && waiter.deadline.passed) return undefined
    this.#promote(place, undefined)
    return await this.#contend(place, waiter)
  }

  async #contend<T>(place: P, waiter: Waiter<T>): Promise<T | undefined> {
    const { deadline, signal } = waiter
    if (!(await place.turn.wait(deadline.within(Infinity), signal)) || place.channelWaiter === undefined)
      return undefined
    const { subscriptionTimeoutMs } = this.#config
    const since = this.#ownTimes.begin(place)
    const retryInMs = waiter.asksAtOnce === true ? undefined : place.retryInMs
    let last = this.#comers
    const attempt = (occasion: Occasion) => {
      last = this.#comers
      return waiter.attempt(occasion)
    }
    try {
      const got = await waitUntil(place.channelWaiter, {
        attempt,
        deadline,
        signal,
        subscriptionTimeoutMs,
        since,
        retryInMs,
      })
      this.#ownTimes.end(place.channelWaiter)
      return got
    } catch (error) {
      this.#ownTimes.end(place.channelWaiter, error)
      if (error instanceof SubscriptionTimeoutError) this.#dismissOverdue(place, error)
      else if (isOutage(error, waiter)) this.#dismiss(place, last, error)
      throw error
    }
  }

  /** Tells those behind the first whose time is over as well that the channel is not confirmed. */
  #dismissOverdue(first: P, error: SubscriptionTimeoutError): void {
    const others = [...this.#places].filter((place) => place !== first)
    dismissOverdue(others, this.#config.subscriptionTimeoutMs, error, (place, same) => {
      this.#places.delete(place)
      place.turn.fail(same)
    })
  }

  /** Rejects all waiters behind the first, up to the last one given, because Redis cannot be reached. */
  #dismiss(first: P, last: number, error: Error): void {
    for (const place of this.#places) {
      if (place.number > last) return
      if (place === first) continue
      this.#places.delete(place)
      place.turn.fail(sameOutage(error))
    }
  }

  /** The next one sits down before this one gets up, so that the channel stays subscribed and no message is missed. */
  #leave(place: P, retryNextInMs: number | undefined): void {
    const wasFirst = this.first === place
    this.#places.delete(place)
    const next = this.#places.first
    if (wasFirst && next !== undefined) this.#promote(next, retryNextInMs)
    place.channelWaiter?.leave()
  }

  #promote(place: P, retryInMs: number | undefined): void {
    place.retryInMs = retryInMs
    try {
      place.channelWaiter = this.#listen()
      place.turn.set()
    } catch (error) {
      place.turn.fail(error as Error) // the client is being shut down
    }
  }
}
