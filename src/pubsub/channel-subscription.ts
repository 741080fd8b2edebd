import type { ListenOptions, Subscription, SubscriptionEvents } from '../topics/shared/subscription.api.js'
import type { Config } from '../config/config.js'
import type { Channel } from '../connection/connection.js'
import { SubscriptionTimeoutError } from '../errors/connection-errors.js'
import { onAbort } from '../util/abort/abort-listeners.js'
import { AutoResetEvent } from '../util/auto-reset-event.js'
import { refuseSurplus } from '../util/refuse-surplus.js'
import { SubscriptionEmitter } from '../util/subscription-emitter.js'
import { withoutAsyncContext } from '../util/time/without-async-context.js'
import { TracedSubscription } from './subscription-trace.js'
import type { ChannelListener, Subscription as Part, Subscriptions } from './subscriptions.js'

/** What a subscription is made with. */
export interface ListeningServices {
  readonly subscriptions: Subscriptions
  readonly config: Pick<Config, 'subscriptionTimeoutMs'>
  /** Aborts when the client is shut down, which ends every subscription. */
  readonly closing: AbortSignal
}

/** What becomes of the messages of a channel. */
export interface Receiver<T> {
  /** Reads a message. What it throws is an `error` of the subscription, which goes on. */
  readonly decode: (payload: Buffer, name: string) => T
  /**
   * Takes a message, and the channel where it was published. What it throws, or rejects with, is reported to the listeners of `error`, and
   * otherwise an uncaught exception. It stops no other listener.
   */
  readonly receive: (message: T, name: string) => unknown
  /** Is notified of a gap, as the listeners of `gap` are. */
  readonly gap?: () => void
  /** Is notified of errors in place of the listeners of `error`. */
  readonly fail?: (error: Error) => void
  /** Is notified when the subscription has ended, for any reason. */
  readonly ended?: () => void
}

/**
 * Listens to a channel. Resolves once Redis has confirmed it: every message that is published from then on is received, in order, until
 * the connection is lost, and again after the gap that follows.
 *
 * @throws {@link SubscriptionTimeoutError} if Redis does not confirm it in time
 * @throws {@link CommandError} if this user has no right to the channel
 * @throws the reason of the signal, or a {@link ClientClosedError}, if that aborts first
 */
export async function listenTo<T>(
  services: ListeningServices,
  channel: Channel,
  receiver: Receiver<T>,
  { signal }: ListenOptions = {},
): Promise<Subscription> {
  services.closing.throwIfAborted()
  signal?.throwIfAborted()
  const subscription = new ChannelSubscription(services.subscriptions, channel, receiver)
  try {
    subscription.endWith(services.closing)
    if (signal !== undefined) subscription.endWith(signal)
    await subscription.confirmed(services.config.subscriptionTimeoutMs)
    return subscription
  } catch (error) {
    subscription.fail(error as Error)
    throw error
  }
}

/** A listener of a channel, as the program sees it. */
class ChannelSubscription<T> implements Subscription, ChannelListener {
  static {
    refuseSurplus(this, {
      on: 'off() ends it',
      off: 'it removes one listener',
      unsubscribe: 'it ends this subscription',
    })
  }

  readonly #channel: Channel
  readonly #receiver: Receiver<T>
  readonly #part: Part
  readonly #confirmation = new AutoResetEvent()
  readonly #events = new SubscriptionEmitter<SubscriptionEvents>('gap', 'error')
  readonly #ends: (() => void)[] = []
  readonly #traced: TracedSubscription | undefined
  #isConfirmed: boolean
  #ended = false

  constructor(subscriptions: Subscriptions, channel: Channel, receiver: Receiver<T>) {
    this.#channel = channel
    this.#receiver = receiver
    this.#part = subscriptions.join(channel, this)
    this.#isConfirmed = this.#part.standing
    this.#traced = TracedSubscription.of(channel)
    if (this.#isConfirmed) this.#traced?.confirm()
  }

  /** Ends it when a signal aborts. */
  endWith(signal: AbortSignal): void {
    const end = () => {
      const reason = signal.reason as Error
      this.#confirmation.fail(reason)
      this.#end(this.#isConfirmed ? undefined : reason)
    }
    this.#ends.push(onAbort(signal, end))
  }

  async confirmed(timeoutMs: number): Promise<void> {
    if (this.#isConfirmed) return
    const startedAt = performance.now()
    if (await this.#confirmation.waitToHear(timeoutMs)) return
    const { refusal } = this.#part
    const elapsedMs = performance.now() - startedAt
    throw new SubscriptionTimeoutError(this.#channel.name, elapsedMs, refusal && { cause: refusal })
  }

  /** Ends it because it was not confirmed. */
  fail(error: Error): void {
    this.#end(error)
  }

  message(payload: Buffer, name: string): void {
    if (this.#ended) return
    let message: T
    try {
      message = this.#receiver.decode(payload, name)
    } catch (error) {
      this.#report(error as Error)
      return
    }
    this.#handOver(message, name)
  }

  subscribed(): void {
    this.#isConfirmed = true
    this.#traced?.confirm()
    this.#confirmation.set()
  }

  gap(): void {
    if (this.#ended) return
    this.#traced?.gap()
    this.#receiver.gap?.()
    this.#events.emit('gap', undefined)
  }

  refused(error: Error): void {
    if (this.#ended) return
    this.#end(error)
    if (this.#isConfirmed) this.#report(error)
    else this.#confirmation.fail(error)
  }

  on<K extends keyof SubscriptionEvents>(event: K, listener: (event: SubscriptionEvents[K]) => void): this {
    this.#events.on(event, listener)
    return this
  }

  off<K extends keyof SubscriptionEvents>(event: K, listener: (event: SubscriptionEvents[K]) => void): this {
    this.#events.off(event, listener)
    return this
  }

  async unsubscribe(): Promise<void> {
    this.#end()
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.unsubscribe()
  }

  #handOver(message: T, name: string): void {
    try {
      const done = this.#receiver.receive(message, name)
      if (!mayBeThenable(done)) return
      Promise.resolve(done).catch((error: unknown) => {
        this.#events.emitOrThrow(error)
      })
    } catch (error) {
      this.#events.emitOrThrow(error)
    }
  }

  /** The program may have the subscription in a moment only: what arrives along with the confirmation comes before that. */
  #report(error: Error): void {
    const { fail } = this.#receiver
    if (fail !== undefined) fail(error)
    else if (this.#events.isHeard) this.#events.emit('error', error)
    else
      withoutAsyncContext(() => {
        setImmediate(() => {
          this.#events.emitOrWarn(error)
        })
      })
  }

  #end(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#part.leave()
    for (const end of this.#ends.splice(0)) end()
    this.#traced?.end(error)
    this.#receiver.ended?.()
  }
}

/** Does not look for `then`: `Promise.resolve()` reads it once, as `await` does. */
function mayBeThenable(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}
