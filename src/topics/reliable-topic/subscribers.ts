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
import { SubscriberPlace, type SubscriberFacts } from './subscriber-place.js'
import { Tenure } from './tenure.js'
import { TopicRequests, type TopicKeys } from './topic-requests.js'

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

/** The subscriptions to one topic. */
interface TopicSubscriptions {
  readonly added: Set<Added>
  readonly requests: TopicRequests
}

/** In front of the name of a subscriber that several processes share, what stands for one of them. */
const LEASE = 'ioredisson:lease'

/**
 * The subscriptions of a client to reliable topics, by topic. They share the timers that renew them, the connections that wake them, and those to one topic its
 * requests.
 */
export class ReliableSubscribers {
  readonly #context: LockContext
  readonly #kind: RenewalKind
  /** Renews subscribers of this process alone. */
  readonly #own: RenewalService
  /** Renews what this process is for subscribers that several share. */
  readonly #shared: RenewalService
  readonly #topics = new Map<string, TopicSubscriptions>()
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
    const { keys, listener } = request
    const topic = this.#topicOf(keys)
    const loop: ReliableSubscriptionLoop = this.#loopOf(request, topic.requests, () => {
      this.#forget(keys.stream, topic, added)
    })
    const added = { listener, loop }
    topic.added.add(added)
    this.#open.add(loop)
    try {
      await loop.begin()
    } finally {
      void loop.over.then(() => this.#open.delete(loop))
    }
    return loop
  }

  /** Ends the subscriptions to a topic, or those with this function. */
  async remove(stream: string, listener?: unknown): Promise<void> {
    const all = [...(this.#topics.get(stream)?.added ?? [])]
    const meant = all.filter((added) => listener === undefined || added.listener === listener)
    await Promise.all(meant.map(({ loop }) => loop.unsubscribe()))
  }

  count(stream: string): number {
    return this.#topics.get(stream)?.added.size ?? 0
  }

  #loopOf(
    request: SubscriptionRequest,
    requests: TopicRequests,
    ended: () => void,
  ): ReliableSubscriptionLoop {
    const { listening, keys, signal } = request
    const { executor, config, topology, closing } = this.#context
    const facts = this.#factsOf(request)
    const isShared = facts.lease !== ''
    const timeoutMs = isShared ? config.lockWatchdogTimeoutMs : config.reliableTopicWatchdogTimeoutMs
    const place = new SubscriberPlace(executor, requests, facts)
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

  #topicOf(keys: TopicKeys): TopicSubscriptions {
    const known = this.#topics.get(keys.stream)
    if (known !== undefined) return known
    const topic = { added: new Set<Added>(), requests: new TopicRequests(this.#context.executor, keys) }
    this.#topics.set(keys.stream, topic)
    return topic
  }

  #forget(stream: string, topic: TopicSubscriptions, added: Added): void {
    topic.added.delete(added)
    if (topic.added.size === 0 && this.#topics.get(stream) === topic) this.#topics.delete(stream)
  }
}
