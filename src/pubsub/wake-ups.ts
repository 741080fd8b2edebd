import type { Config } from '../config/config.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import { ChannelWaiter } from './channel-waiter.js'
import type { Subscription, Subscriptions } from './subscriptions.js'

/** How many waiters a message wakes. */
export type WakeCountOf = (message: string) => number

/** The waiters at one channel, in the order in which they came, and its subscription. */
interface ChannelWaiters {
  readonly waiters: Set<ChannelWaiter>
  /** Replaced by another where some wait on although it was given up. */
  subscription: Subscription
}

/** Subscribes waiters to channels, and wakes them: as many as a message says, all after a gap. */
export class WakeUps {
  readonly #subscriptions: Subscriptions
  readonly #config: Pick<Config, 'subscriptionTimeoutMs'>
  readonly #channels = new Map<string, ChannelWaiters>()
  #closed = false

  constructor(subscriptions: Subscriptions, config: Pick<Config, 'subscriptionTimeoutMs'>) {
    this.#subscriptions = subscriptions
    this.#config = config
  }

  /** Adds a waiter to a channel, behind those that are there. The channel is subscribed before this returns. */
  join(channel: string, wakesOf: WakeCountOf): ChannelWaiter {
    return this.joinAll([channel], wakesOf)
  }

  /** Adds one waiter to several channels, each of which wakes it. They are confirmed when the last of them is. */
  joinAll(channels: readonly string[], wakesOf: WakeCountOf): ChannelWaiter {
    if (this.#closed) throw new ClientClosedError()
    const joined = channels.map((channel) => ({
      channel,
      waiting: this.#channels.get(channel) ?? this.#open(channel, wakesOf),
    }))
    const subscription = {
      get confirmed() {
        return joined.every(({ waiting }) => waiting.subscription.confirmed)
      },
      get refusal() {
        return joined.map(({ waiting }) => waiting.subscription.refusal).find((refusal) => refusal)
      },
    }
    const waiter = new ChannelWaiter(channels.join(', '), subscription, (unused) => {
      for (const { channel, waiting } of joined) this.#leave(channel, waiting, waiter, unused)
    })
    for (const { waiting } of joined) waiting.waiters.add(waiter)
    return waiter
  }

  /** Whether this client receives what is published at a channel. */
  isListening(channel: string): boolean {
    return this.#channels.get(channel)?.subscription.confirmed === true
  }

  /** Rejects all waiters. */
  close(): void {
    this.#closed = true
    for (const { waiters } of this.#channels.values()) {
      for (const waiter of waiters) waiter.fail(new ClientClosedError())
    }
  }

  #open(channel: string, wakesOf: WakeCountOf): ChannelWaiters {
    const waiters = new Set<ChannelWaiter>()
    const recheckAll = () => {
      for (const waiter of waiters) waiter.recheck() // messages sent before were missed
    }
    const listener = {
      message: (payload: Buffer) => {
        wake(waiters, wakesOf(payload.toString()))
      },
      subscribed: recheckAll,
      gap: recheckAll,
      refused: (error: Error) => {
        const concerned = this.#concernedBy(error, waiters)
        if (concerned.length < waiters.size)
          waiting.subscription = this.#subscriptions.joinAnnouncements(channel, listener)
        else this.#remove(channel, waiting)
        for (const waiter of concerned) waiter.fail(error)
      },
    }
    const subscription = this.#subscriptions.joinAnnouncements(channel, listener)
    const waiting: ChannelWaiters = { waiters, subscription }
    this.#channels.set(channel, waiting)
    return waiting
  }

  /** A refusal that lasts ends the waiting of those who have waited as long. Any other concerns all. */
  #concernedBy(error: Error, waiters: ReadonlySet<ChannelWaiter>): ChannelWaiter[] {
    if (!(error instanceof SubscriptionTimeoutError)) return [...waiters]
    const now = performance.now()
    return [...waiters].filter(({ cameAt }) => cameAt + this.#config.subscriptionTimeoutMs <= now)
  }

  /** A wake-up that was not used belongs to the next waiter. */
  #leave(channel: string, waiting: ChannelWaiters, waiter: ChannelWaiter, unused: boolean): void {
    const { waiters, subscription } = waiting
    waiters.delete(waiter)
    if (unused) wake(waiters, 1)
    if (waiters.size > 0) return
    this.#remove(channel, waiting)
    subscription.leave()
  }

  /** Waiters that come from now on get a subscription of their own. */
  #remove(channel: string, waiting: ChannelWaiters): void {
    if (this.#channels.get(channel) === waiting) this.#channels.delete(channel)
  }
}

/** Wakes the first waiters that have not been woken yet. */
function wake(waiters: Iterable<ChannelWaiter>, count: number): void {
  let left = count
  for (const waiter of waiters) {
    if (left <= 0) return
    if (waiter.isSet) continue
    waiter.set()
    left -= 1
  }
}
