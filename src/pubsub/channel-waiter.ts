import { AutoResetEvent } from '../util/auto-reset-event.js'
import type { Deadline } from '../util/time/deadline.js'
import type { Subscription } from './subscriptions.js'

/** A waiter that the messages of a channel wake. */
export class ChannelWaiter extends AutoResetEvent {
  /** When it came, on the monotonic clock. */
  readonly cameAt = performance.now()
  readonly channel: string
  readonly #subscription: Pick<Subscription, 'confirmed' | 'refusal'>
  readonly #onLeave: (unusedWakeUp: boolean) => void
  #hasMessage = false

  constructor(
    channel: string,
    subscription: Pick<Subscription, 'confirmed' | 'refusal'>,
    onLeave: (unusedWakeUp: boolean) => void,
  ) {
    super()
    this.channel = channel
    this.#subscription = subscription
    this.#onLeave = onLeave
  }

  /** Whether Redis has confirmed that messages will arrive here. */
  get confirmed(): boolean {
    return this.#subscription.confirmed
  }

  /** Why Redis has not confirmed it, where it said so or cannot be reached. */
  get refusal(): Error | undefined {
    return this.#subscription.refusal
  }

  /** Wakes it because of a message. */
  override set(): void {
    this.#hasMessage = true
    super.set()
  }

  /** Wakes it because messages may have been missed. */
  recheck(): void {
    super.set()
  }

  /** Returns whether a message has woken it since the last call. */
  takeMessage(): boolean {
    const hasMessage = this.#hasMessage
    this.#hasMessage = false
    return hasMessage
  }

  /** Waits until the subscription is confirmed, or something else wakes the waiter. Returns false if nothing did in time. */
  async settle(timeoutMs: number, signal?: AbortSignal, deadline?: Deadline): Promise<boolean> {
    return this.confirmed || (await this.waitToHear(timeoutMs, signal, deadline)) || this.confirmed
  }

  /** Waits no more; a wake-up that was not used goes to the next waiter. */
  leave(): void {
    this.#onLeave(this.takeSignal())
  }
}
