import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { Config } from '../../config/config.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { ChannelMap } from './channel-map.js'
import type { Channel, SubscriberListener } from '../connection.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { isFinalRefusal } from '../login/ioredis-errors.js'

/** How a connection that listens behaves. */
export type ListeningConfig = Pick<
  Config,
  'pingIntervalMs' | 'reconnectionDelay' | 'subscriptionTimeoutMs' | 'timeoutMs'
>

/** A channel that is requested. */
export interface Requested {
  readonly channel: Channel
  /** The time since which it has been requested over this connection without a confirmation, on the monotonic clock. */
  askedAt: number
  /** How often it was refused over this connection. */
  refusals: number
  /** The last reply of Redis, if that was a refusal. */
  refusal: Error | undefined
  /** Whether Redis has confirmed it over this connection. */
  confirmed: boolean
  /** The timer of the next request. */
  again: NodeJS.Timeout | undefined
}

/** The connection over which channels are requested. */
export interface Asking {
  /** Whether Redis can be asked now. */
  readonly isReady: boolean
  /** Requests a channel once. {@link ChannelRequests.confirm} or {@link ChannelRequests.refuse} follows, unless the connection breaks. */
  ask(requested: Requested): void
  /** Returns the error for a reply that refuses a channel. */
  errorOf(reply: Error, channel: Channel): Error
  /** Ends a subscription for good, and deletes it from the {@link ChannelRequests}. */
  unsubscribe(channel: Channel): void
}

/** Requests channels from one node, each again until Redis confirms it, refuses it for good, or has refused it for too long. */
export class ChannelRequests {
  readonly #config: ListeningConfig
  readonly #listener: SubscriberListener
  readonly #asking: Asking
  readonly #channels = new ChannelMap<Requested>()

  constructor(config: ListeningConfig, listener: SubscriberListener, asking: Asking) {
    this.#config = config
    this.#listener = listener
    this.#asking = asking
  }

  get isEmpty(): boolean {
    return this.#channels.size === 0
  }

  get(channel: Channel): Requested | undefined {
    return this.#channels.get(channel)
  }

  [Symbol.iterator](): Iterator<Requested> {
    return this.#channels.values()
  }

  /** Requests a channel, now or as soon as there is a connection. */
  add(channel: Channel): void {
    const requested: Requested = {
      channel,
      askedAt: 0,
      refusals: 0,
      refusal: undefined,
      confirmed: false,
      again: undefined,
    }
    this.#channels.set(channel, requested)
    this.begin(requested)
  }

  /** Stops requesting a channel. Returns whether it was requested. */
  delete(channel: Channel): boolean {
    clearTimeout(this.#channels.get(channel)?.again)
    return this.#channels.delete(channel)
  }

  clear(): void {
    for (const { again } of this) clearTimeout(again)
    this.#channels.clear()
  }

  /** Requests all channels over a new connection. */
  beginAll(): void {
    for (const requested of this) this.begin(requested)
  }

  /** Requests a channel for the first time over this connection, if there is one. */
  begin(requested: Requested): void {
    requested.askedAt = performance.now()
    requested.refusals = 0
    requested.refusal = undefined
    clearTimeout(requested.again)
    if (this.#asking.isReady) this.#asking.ask(requested)
  }

  /** Notes that the connection of all channels has broken. */
  interruptAll(): void {
    for (const requested of this) this.interrupt(requested)
  }

  interrupt(requested: Requested): void {
    requested.confirmed = false
    this.#listener.interrupted(requested.channel)
  }

  confirm(requested: Requested): void {
    if (!this.#isStanding(requested)) return
    requested.refusal = undefined
    if (requested.confirmed) return
    requested.confirmed = true
    this.#listener.subscribed(requested.channel)
  }

  /**
   * Handles a refusal.
   *
   * @param reply - the error reply of Redis
   */
  refuse(requested: Requested, reply: Error): void {
    if (!this.#isStanding(requested)) return
    const refusal = this.#asking.errorOf(withoutSecrets(reply), requested.channel)
    if (requested.confirmed && requested.refusal === undefined) this.#beginAnew(requested)
    requested.refusal = refusal
    if (isFinalRefusal(reply)) this.#giveUp(requested, refusal)
    else if (!this.#givesUpInTime(requested, refusal)) this.#askAgain(requested)
  }

  /** Counts refusals from now on: the channel was confirmed before. */
  #beginAnew(requested: Requested): void {
    requested.askedAt = performance.now()
    requested.refusals = 0
  }

  /** Gives up a channel that was refused for too long. Its waiters are told, because they get no messages meanwhile. */
  #givesUpInTime(requested: Requested, cause: Error): boolean {
    const elapsedMs = performance.now() - requested.askedAt
    if (elapsedMs < this.#config.subscriptionTimeoutMs) return false
    this.#giveUp(requested, new SubscriptionTimeoutError(requested.channel.name, elapsedMs, { cause }))
    return true
  }

  #giveUp({ channel }: Requested, error: Error): void {
    this.#asking.unsubscribe(channel) // the server may have had it from before
    this.#listener.refused(channel, error)
  }

  /** Requests a refused channel again, after a pause: a server that is busy, loads or fails over is ready before long. */
  #askAgain(requested: Requested): void {
    const ask = () => {
      if (this.#asking.isReady) this.#asking.ask(requested)
    }
    const delayMs = this.#config.reconnectionDelay(requested.refusals)
    clearTimeout(requested.again)
    requested.refusals += 1
    requested.again = withoutAsyncContext(() => setTimeout(ask, delayMs).unref())
  }

  /** Returns whether a channel is still requested, and was not given up and requested anew meanwhile. */
  #isStanding(requested: Requested): boolean {
    return this.#channels.get(requested.channel) === requested
  }
}
