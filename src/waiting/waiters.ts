import { sameOutage } from '../core/holds/outage.js'
import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import type { ChannelWaiter } from '../pubsub/channel-waiter.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'
import { LinkedList } from '../util/collections/linked-list.js'

/** One of several that wait in this process, of which not each listens and sends requests. */
export class Waiter {
  /** When it came, on the monotonic clock. */
  readonly cameAt = performance.now()
  /** How many came before it and with it, ever. */
  number = 0
  /** Wakes when it is its turn, or when it has what it waits for. */
  readonly turn = new AutoResetEvent()
}

/** What is known of a subscription that is not confirmed. */
type Unconfirmed = Pick<SubscriptionTimeoutError, 'channel' | 'elapsedMs' | 'cause'>

/** Keeps waiters in the order in which they are served. */
type Order<W> = Pick<LinkedList<W>, 'size' | 'first' | 'add' | 'delete'> & Iterable<W>

/** The waiters of this process for one thing, first come, first served where no other order is given. */
export class Waiters<W extends Waiter = Waiter> implements Iterable<W> {
  readonly #order: Order<W>
  #latest = 0

  constructor(order: Order<W> = new LinkedList<W>()) {
    this.#order = order
  }

  get size(): number {
    return this.#order.size
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  get first(): W | undefined {
    return this.#order.first
  }

  /** The number of the one that came last. */
  get latest(): number {
    return this.#latest
  }

  [Symbol.iterator](): Iterator<W> {
    return this.#order[Symbol.iterator]()
  }

  /** Adds one as the last that has come, even if it has come before. */
  add(waiter: W): W {
    waiter.number = this.#latest += 1
    this.#order.delete(waiter)
    this.#order.add(waiter)
    return waiter
  }

  /** Returns false if it has left before. */
  delete(waiter: W): boolean {
    return this.#order.delete(waiter)
  }

  /** Those up to a number. */
  upTo(number: number): W[] {
    return [...this].filter((waiter) => waiter.number <= number)
  }

  /** Ends the waiting of some, each with an error of its own. */
  reject(waiters: Iterable<W>, error: Error): void {
    for (const waiter of waiters) {
      this.delete(waiter)
      waiter.turn.fail(sameOutage(error))
    }
  }

  /** Ends the waiting of those of some whose time is over, because a subscription was not confirmed. The others may wait on. */
  rejectOverdue(
    { channel, elapsedMs, cause }: Unconfirmed,
    timeoutMs: number,
    waiters: Iterable<W> = [...this],
  ): void {
    const now = performance.now()
    for (const waiter of waiters) {
      if (waiter.cameAt + timeoutMs > now) continue // one that took a new place in Redis stands behind later ones
      const ownMs = Math.min(elapsedMs, now - waiter.cameAt)
      this.delete(waiter)
      waiter.turn.fail(new SubscriptionTimeoutError(channel, ownMs, cause === undefined ? {} : { cause }))
    }
  }

  /**
   * Waits until Redis confirms a channel, or none waits for that any more. Each has its own time limit for it, from its arrival, after which
   * it rejects.
   */
  async confirmed(channelWaiter: ChannelWaiter, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const { first } = this
      if (channelWaiter.confirmed || first === undefined) return
      const leftMs = Math.max(0, first.cameAt + timeoutMs - performance.now())
      if (await channelWaiter.settle(leftMs, signal)) continue // something else may have woken it
      const { channel, refusal } = channelWaiter
      this.rejectOverdue({ channel, elapsedMs: Infinity, cause: refusal }, timeoutMs)
    }
  }
}
