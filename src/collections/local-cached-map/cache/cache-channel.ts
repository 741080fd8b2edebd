import type { ObjectContext } from '../../../core/context/object-context.js'
import { sameOutage } from '../../../core/holds/outage.js'
import { SubscriptionTimeoutError } from '../../../errors/connection-errors.js'
import type { ChannelListener, Subscription } from '../../../pubsub/subscriptions.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import { warnOnce } from '../../../util/warn-once.js'

/** After a refused subscription a call asks for it again, but not more often than this, in milliseconds. */
const SUBSCRIBE_AGAIN_MS = 1_000

/** What a {@link CacheChannel} is made with. */
export interface CacheChannelDeps {
  readonly context: Pick<ObjectContext, 'subscriptions' | 'config' | 'closing'>
  readonly topic: string
  readonly message: (payload: Buffer) => void
  /** Redis has confirmed the channel. */
  readonly begun: () => void
  /** Redis has confirmed it again, and messages may have been missed before that. */
  readonly resumed: () => void
  /** Redis has refused it. */
  readonly ended: () => void
}

/** The channel of a local cache, which is subscribed with its first use. */
export class CacheChannel implements ChannelListener {
  readonly #deps: CacheChannelDeps
  readonly #waiting = new Set<AutoResetEvent>()
  #subscription: Subscription | undefined
  #refusedAt = -Infinity
  #isClosed = false

  constructor(deps: CacheChannelDeps) {
    this.#deps = deps
  }

  /** Whether every message arrives now. */
  get stands(): boolean {
    return this.#subscription?.standing === true
  }

  /** Subscribes, unless that is done. */
  open(): void {
    if (this.#isClosed || this.#subscription !== undefined) return
    if (performance.now() - this.#refusedAt < SUBSCRIBE_AGAIN_MS) return
    const { context, topic } = this.#deps
    const subscription = withoutAsyncContext(() => context.subscriptions.joinAnnouncements(topic, this))
    this.#subscription = subscription
    if (subscription.standing) this.#deps.begun()
  }

  /**
   * Resolves when every message arrives.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm that in time, or what it says of the channel
   */
  async opened(): Promise<void> {
    const { context, topic } = this.#deps
    const { subscriptionTimeoutMs } = context.config
    this.#refusedAt = -Infinity
    this.open()
    const begunAt = performance.now()
    const confirmed = new AutoResetEvent()
    this.#waiting.add(confirmed)
    try {
      if (this.stands || (await confirmed.waitToHear(subscriptionTimeoutMs, context.closing))) return
    } finally {
      this.#waiting.delete(confirmed)
    }
    const refusal = this.#subscription?.refusal
    const elapsedMs = performance.now() - begunAt
    throw new SubscriptionTimeoutError(topic, elapsedMs, refusal && { cause: refusal })
  }

  close(): void {
    this.#isClosed = true
    this.#subscription?.leave()
    this.#subscription = undefined
  }

  message(payload: Buffer): void {
    this.#deps.message(payload)
  }

  subscribed(): void {
    this.#deps.begun()
    for (const each of this.#waiting) each.set()
  }

  gap(): void {
    this.#deps.resumed()
    for (const each of this.#waiting) each.set()
  }

  refused(error: Error): void {
    this.#subscription = undefined
    this.#refusedAt = performance.now()
    this.#deps.ended()
    for (const each of this.#waiting) each.fail(sameOutage(error))
    const { topic } = this.#deps
    const message = `Nothing is cached locally that is not heard of: Redis has refused the channel ${topic}.`
    warnOnce('REDISSON_LOCAL_CACHE_UNHEARD', topic, message)
  }
}
