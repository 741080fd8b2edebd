import type { ReliableSubscription } from './reliable-topic.api.js'
import type { LockContext } from '../../core/context/object-context.js'
import { RenewalService } from '../../renewal/renewal-service.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { Deliveries, type DeliveryDeps } from './deliveries.js'
import { KeySleep } from './key-sleep.js'
import type { Listening } from './listening.js'
import { ReliableSubscriptionLoop } from './reliable-subscription.js'
import { subscriberRenewal } from './reliable-topic.renewal.js'
import { SubscriberPlace, type SubscriberFacts, type TopicKeys } from './subscriber-place.js'
import { Tenure } from './tenure.js'

/** What a subscription is to be. */
export interface SubscriptionRequest extends Pick<DeliveryDeps, 'read' | 'take' | 'deadLetterKey'> {
  readonly keys: TopicKeys
  readonly listening: Listening
  /** The function of the program. */
  readonly listener: unknown
  /** Ends it as well. */
  readonly signal: AbortSignal | undefined
}

/** A subscription, and the function that it was made with. */
interface Added {
  readonly listener: unknown
  readonly loop: ReliableSubscriptionLoop
}

/** In front of the name of a subscriber that several processes share, what stands for one of them. */
const LEASE = 'ioredisson:lease'

/** The subscriptions of a client to reliable topics, by topic. They share the timers that renew them, and the connections that wake them. */
export class ReliableSubscribers {
  readonly #context: LockContext
  readonly #kind: RenewalKind
  /** Renews subscribers of this process alone. */
  readonly #own: RenewalService
  /** Renews what this process is for subscribers that several share. */
  readonly #shared: RenewalService
  readonly #added = new Map<string, Set<Added>>()
  /** Those that have not ended in Redis. */
  readonly #open = new Set<ReliableSubscriptionLoop>()

  constructor(context: LockContext) {
    const { config } = context
    const { lockWatchdogBatchSize: batchSize } = config
    this.#context = context
    this.#kind = subscriberRenewal(context.ahead)
    this.#own = new RenewalService({ leaseMs: config.reliableTopicWatchdogTimeoutMs, batchSize })
    this.#shared = new RenewalService({ leaseMs: config.lockWatchdogTimeoutMs, batchSize })
    context.onClose(async (deadline) => {
      const over = Promise.all([...this.#open].map((loop) => loop.over))
      await outcomeWithin(over, deadline.within(Infinity))
      this.#own.close()
      this.#shared.close()
    })
  }

  /** Adds a subscription. Resolves when Redis has its place. */
  async add(request: SubscriptionRequest): Promise<ReliableSubscription> {
    this.#context.closing.throwIfAborted()
    const { stream } = request.keys
    const loop: ReliableSubscriptionLoop = this.#loopOf(request, () => {
      this.#forget(stream, added)
    })
    const added = { listener: request.listener, loop }
    this.#remember(stream, added)
    try {
      await loop.begin()
    } finally {
      void loop.over.then(() => this.#open.delete(loop))
    }
    return loop
  }

  /** Ends the subscriptions to a topic, or those with this function. */
  async remove(stream: string, listener?: unknown): Promise<void> {
    const all = [...(this.#added.get(stream) ?? [])]
    const meant = all.filter((added) => listener === undefined || added.listener === listener)
    await Promise.all(meant.map(({ loop }) => loop.unsubscribe()))
  }

  count(stream: string): number {
    return this.#added.get(stream)?.size ?? 0
  }

  #loopOf(request: SubscriptionRequest, ended: () => void): ReliableSubscriptionLoop {
    const { listening, keys, signal } = request
    const { executor, config, topology, closing } = this.#context
    const facts = this.#factsOf(request)
    const isShared = facts.lease !== ''
    const timeoutMs = isShared ? config.lockWatchdogTimeoutMs : config.reliableTopicWatchdogTimeoutMs
    const place = new SubscriberPlace(executor, facts)
    const tenure = {
      renewal: isShared ? this.#shared : this.#own,
      kind: this.#kind,
      timeouts: keys.timeouts,
      slot: topology.slotOf(keys.timeouts),
      member: isShared ? facts.lease : facts.name,
      leaseMs: timeoutMs,
    }
    return new ReliableSubscriptionLoop({
      place,
      tenureOf: (onLost) => new Tenure({ ...tenure, onLost }),
      deliveriesOf: (events) => new Deliveries({ ...request, place, events }),
      changes: new KeySleep(this.#context, keys.stream),
      successions: isShared ? new KeySleep(this.#context, keys.timeouts) : undefined,
      position: listening.position,
      timeoutMs,
      ends: [listening.signal, signal, closing],
      ended,
    })
  }

  #factsOf({ keys, listening: { subscriber } }: SubscriptionRequest): SubscriberFacts {
    const id = this.#context.requestIds.next()
    if (subscriber === undefined) return { keys, name: id, lease: '' }
    return { keys, name: subscriber, lease: `${LEASE}:${id}:${subscriber}` }
  }

  #remember(stream: string, added: Added): void {
    const all = this.#added.get(stream) ?? new Set()
    all.add(added)
    this.#added.set(stream, all)
    this.#open.add(added.loop)
  }

  #forget(stream: string, added: Added): void {
    const all = this.#added.get(stream)
    all?.delete(added)
    if (all?.size === 0) this.#added.delete(stream)
  }
}
