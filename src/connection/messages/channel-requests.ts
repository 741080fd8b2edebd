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

/** A channel that is asked for. */
export interface Requested {
  readonly channel: Channel
  /** Since when it has been asked for over this connection without a confirmation, on the monotonic clock. */
  askedAt: number
  /** How often it was refused over this connection. */
  refusals: number
  /** What Redis said last, if that was a refusal. */
  refusal: Error | undefined
  /** Whether Redis has confirmed it over this connection. */
  confirmed: boolean
  /** When it is asked for again. */
  again: NodeJS.Timeout | undefined
}

/** The connection that channels are asked for over. */
export interface Asking {
  /** Whether Redis can be asked now. */
  readonly isReady: boolean
  /** Asks once. {@link ChannelRequests.confirm} or {@link ChannelRequests.refuse} follows, unless the connection breaks. */
  ask(requested: Requested): void
  /** What a reply that refuses a channel means. */
  errorOf(reply: Error, channel: Channel): Error
  /** Ends a subscription for good, and has it deleted here. */
  unsubscribe(channel: Channel): void
}

/** The channels that one node is asked for, each again until Redis confirms it, refuses it for good, or has refused it for too long. */
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
    return this.#channels.values().next().done === true
  }

  get(channel: Channel): Requested | undefined {
    return this.#channels.get(channel)
  }

  [Symbol.iterator](): Iterator<Requested> {
    return this.#channels.values()
  }

  /** Asks for a channel, now or as soon as there is a connection. */
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

  /** Asks no more. Returns whether the channel was asked for. */
  delete(channel: Channel): boolean {
    clearTimeout(this.#channels.get(channel)?.again)
    return this.#channels.delete(channel)
  }

  clear(): void {
    for (const { again } of this) clearTimeout(again)
    this.#channels.clear()
  }

  /** Asks for all channels, over a connection that has just been made. */
  beginAll(): void {
    for (const requested of this) this.begin(requested)
  }

  /** Asks for a channel for the first time over this connection, if there is one. */
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
   * @param reply - what Redis has said
   */
  refuse(requested: Requested, reply: Error): void {
    if (!this.#isStanding(requested)) return
    const refusal = this.#asking.errorOf(withoutSecrets(reply), requested.channel)
    if (requested.confirmed && requested.refusal === undefined) this.#beginAnew(requested)
    requested.refusal = refusal
    if (isFinalRefusal(reply)) this.#giveUp(requested, refusal)
    else if (!this.#givesUpInTime(requested, refusal)) this.#askAgain(requested)
  }

  /** What was confirmed is refused from now on, and not since it was asked for first. */
  #beginAnew(requested: Requested): void {
    requested.askedAt = performance.now()
    requested.refusals = 0
  }

  /** A refusal that lasts is reported to the waiters, because they get no messages meanwhile. */
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

  /** Asks for what is refused, after a pause: a server that is busy, loads or fails over is ready before long. */
  #askAgain(requested: Requested): void {
    const ask = () => {
      if (this.#asking.isReady) this.#asking.ask(requested)
    }
    const delayMs = this.#config.reconnectionDelay(requested.refusals)
    clearTimeout(requested.again)
    requested.refusals += 1
    requested.again = withoutAsyncContext(() => setTimeout(ask, delayMs).unref())
  }

  /** Whether it is asked for still, and was not given up and asked for anew meanwhile. */
  #isStanding(requested: Requested): boolean {
    return this.#channels.get(requested.channel) === requested
  }
}
