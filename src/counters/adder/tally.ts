import { idempotencyKey, adderKeys, adderTopic } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { sameOutage } from '../../core/holds/outage.js'
import { CounterOverflowError } from '../shared/counter.errors.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { ChannelListener, Subscription } from '../../pubsub/subscriptions.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { Deadline } from '../../util/time/deadline.js'
import { warnOnce } from '../../util/warn-once.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { reply } from './adder.scripts.js'
import { HeardRequests } from './heard-requests.js'
import type { Sums } from './sums.js'

/** A request for all sums, or to begin anew, as Redisson writes it. */
export const ASKS = { reset: '0', sum: '1' } as const

const ASKED = /^(?<what>[01]):(?<id>[0-9a-f]{32})$/

/** What adders of one kind have in common. */
export interface AdderKind<V, S> {
  readonly sums: Sums<V, S>
  /** The command that adds to a counter. */
  readonly command: 'incrby' | 'incrbyfloat'
}

/**
 * For how long replies are kept at least, in milliseconds: twice as long as a client of Redisson waits for them. A caller that waits for longer keeps them.
 */
export const REPLY_LIFE_MS = 120_000

/** After a refused subscription an addition asks for it again, but not more often than this, in milliseconds. */
const SUBSCRIBE_AGAIN_MS = 1000

/**
 * For how long a client goes on listening after its last adder was destroyed, in milliseconds. What is published before Redis has ended a
 * subscription counts this client, which does not hear it any more. So a sum that follows `destroy()` would wait for a reply that never comes.
 */
const LINGER_MS = 1000

/** What a tally is made with. */
export interface TallyDeps<V, S> {
  readonly context: LockContext
  /** The name of the adders, for errors. */
  readonly name: string
  readonly key: string
  readonly kind: AdderKind<V, S>
  /** Called when it listens no more, some time after the last share has ended. */
  readonly unused: () => void
}

/** What the adders of one name in this client have added. It listens for requests of all clients, also of this one, and replies. */
export class Tally<V, S> implements ChannelListener {
  readonly kind: AdderKind<V, S>
  /** The requests for sums that have arrived here. */
  readonly requests = new HeardRequests()
  readonly #deps: TallyDeps<V, S>
  readonly #topic: string
  readonly #waiting = new Set<AutoResetEvent>()
  #subscription: Subscription | undefined
  #refusedAt = -Infinity
  #lingering: NodeJS.Timeout | undefined
  #sum: S
  #shares = 0
  #resets = 0

  constructor(deps: TallyDeps<V, S>) {
    this.kind = deps.kind
    this.#deps = deps
    this.#topic = adderTopic(deps.key)
    this.#sum = deps.kind.sums.zero
  }

  /** How often it has begun anew. */
  get resets(): number {
    return this.#resets
  }

  join(): void {
    this.#shares += 1
    clearTimeout(this.#lingering)
  }

  leave(): void {
    this.#shares -= 1
    if (this.#shares > 0) return
    this.#lingering = withoutAsyncContext(() => setTimeout(() => this.#end(), LINGER_MS).unref())
  }

  /** The client ends. */
  close(): void {
    clearTimeout(this.#lingering)
  }

  /** Listens no more if all shares have ended. Returns whether that is so. */
  endIfUnused(): boolean {
    if (this.#shares > 0) return false
    this.close()
    this.#end()
    return true
  }

  /** @throws {@link CounterOverflowError} where the sum would be too large; nothing is added then */
  add(value: V): void {
    this.#sum = plus(this.#deps, this.#sum, value)
    this.#listen()
  }

  /** Takes off what one of the adders has added. */
  subtract(other: S): void {
    this.#sum = this.kind.sums.minus(this.#sum, other)
  }

  /**
   * Resolves when every request of any client arrives here, or the deadline has passed.
   *
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm that in time; what it says of the channel; the reason of the signal
   */
  async listening(deadline: Deadline, signal: AbortSignal): Promise<void> {
    const { subscriptionTimeoutMs } = this.#deps.context.config
    const timeoutMs = deadline.within(subscriptionTimeoutMs)
    this.#refusedAt = -Infinity
    this.#listen()
    const begun = performance.now()
    const confirmed = new AutoResetEvent()
    this.#waiting.add(confirmed)
    try {
      if (this.#subscription?.standing === true || (await confirmed.waitToHear(timeoutMs, signal, deadline)))
        return
    } finally {
      this.#waiting.delete(confirmed)
    }
    if (timeoutMs < subscriptionTimeoutMs || deadline.passed) return
    const refusal = this.#subscription?.refusal
    const elapsedMs = performance.now() - begun
    throw new SubscriptionTimeoutError(this.#topic, elapsedMs, refusal && { cause: refusal })
  }

  subscribed(): void {
    for (const each of this.#waiting) each.set()
  }

  /** Requests may have been missed. Their callers ask again, and get a sum that has everything. */
  gap(): void {
    this.subscribed()
  }

  refused(error: Error): void {
    this.#subscription = undefined
    this.#refusedAt = performance.now()
    for (const each of this.#waiting) each.fail(sameOutage(error))
    const message = `What this client adds to ${this.#deps.name} is in no sum: Redis has refused the channel ${this.#topic}.`
    warnOnce('REDISSON_ADDER_UNHEARD', this.#deps.key, message)
  }

  message(payload: Buffer): void {
    const { what, id } = ASKED.exec(payload.toString())?.groups ?? {}
    if (id === undefined || !this.requests.isNew(id)) return
    if (what === ASKS.reset) this.#reset()
    const { command, sums } = this.kind
    const added = what === ASKS.sum ? { command, sum: sums.text(this.#sum) } : { command: '', sum: '' }
    void withoutAsyncContext(() => this.#reply(id, added))
  }

  #end(): void {
    this.#subscription?.leave()
    this.#deps.unused()
  }

  #reset(): void {
    this.#sum = this.kind.sums.zero
    this.#resets += 1
  }

  /** Never rejects: the caller gets no reply, and asks again. */
  async #reply(id: string, added: { readonly command: string; readonly sum: string }): Promise<void> {
    const { context, key, name } = this.#deps
    const { counter, semaphore, channel } = adderKeys(key, id)
    const request = idempotencyKey(key, context.requestIds.next())
    const call = { keys: { counter, semaphore, channel, request }, args: { ...added, lifeMs: REPLY_LIFE_MS } }
    try {
      await context.executor.run(reply, call, { remember: true })
    } catch {
      if (context.closing.aborted) return
      warnOnce(
        'REDISSON_ADDER_UNHEARD',
        key,
        `A client has asked for the sum of ${name}, and could not be told it.`,
      )
    }
  }

  #listen(): void {
    if (this.#subscription !== undefined || performance.now() - this.#refusedAt < SUBSCRIBE_AGAIN_MS) return
    const { subscriptions } = this.#deps.context
    this.#subscription = withoutAsyncContext(() => subscriptions.joinAnnouncements(this.#topic, this))
  }
}

/** What one adder has added. */
export class Share<V, S> {
  readonly #deps: Pick<TallyDeps<V, S>, 'name' | 'kind'>
  readonly #tally: Tally<V, S>
  #sum: S
  /** How often the tally had begun anew when this was last so. */
  #resets: number

  constructor(deps: Pick<TallyDeps<V, S>, 'name' | 'kind'>, tally: Tally<V, S>) {
    this.#deps = deps
    this.#tally = tally
    this.#sum = deps.kind.sums.zero
    this.#resets = tally.resets
    tally.join()
  }

  add(value: V): void {
    const sum = plus(this.#deps, this.#current, value)
    this.#tally.add(value)
    this.#sum = sum
    this.#resets = this.#tally.resets
  }

  end(): void {
    this.#tally.subtract(this.#current)
    this.#tally.leave()
  }

  get #current(): S {
    return this.#resets === this.#tally.resets ? this.#sum : this.#deps.kind.sums.zero
  }
}

function plus<V, S>({ name, kind: { sums } }: Pick<TallyDeps<V, S>, 'name' | 'kind'>, sum: S, value: V): S {
  const result = sums.plus(sum, value)
  if (result !== undefined) return result
  throw new CounterOverflowError(name, { cause: new RangeError(sums.limit) })
}
