import type { RenewalKind } from '../../renewal/lease.js'
import {
  idempotencyKey,
  reliableQueueChannels,
  reliableQueueKeys,
  reliableQueueRates,
} from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { Compensations } from '../../waiting/compensations.js'
import type { WaitQueue } from '../../waiting/wait-queue.js'
import { WaitQueues } from '../../waiting/wait-queues.js'
import { Acknowledgements } from './acknowledgements.js'
import type { DeliveryRates } from './delivery-rates.js'
import type { HeldDelivery } from './held-delivery.js'
import { deliveryRenewal } from './reliable-queue.renewal.js'

/** What the deliveries of a client share. */
export class DeliveryServices {
  readonly context: LockContext
  /** Those who wait for messages, and those who wait for room, by channel. */
  readonly waiters = new WaitQueues<WaitQueue>()
  readonly compensations: Compensations
  readonly acknowledgements = new Acknowledgements()
  readonly renewal: RenewalKind
  /** All that this client holds, by their leases and members. */
  readonly held = new Map<string, HeldDelivery>()

  constructor(context: LockContext) {
    this.context = context
    this.compensations = new Compensations(context)
    this.renewal = deliveryRenewal(context.ahead, this.held)
  }
}

/** The settings of a queue, checked. */
export interface QueueLimits extends DeliveryRates {
  /** 0 for any number. */
  readonly capacity: number
  readonly maxDeliveries: number
  /** 0 for any number. */
  readonly places: number
}

/** One queue: its keys, its settings, and how it is asked. */
export class QueueCore {
  /** As the program gave it. */
  readonly name: string
  readonly limits: QueueLimits
  readonly requests: ObjectRequests
  readonly #services: () => DeliveryServices

  constructor(name: string, limits: QueueLimits, requests: ObjectRequests, services: () => DeliveryServices) {
    this.name = name
    this.limits = limits
    this.requests = requests
    this.#services = services
  }

  /** Those of the client. Not for batches. */
  get services(): DeliveryServices {
    return this.#services()
  }

  get channels() {
    return reliableQueueChannels(this.requests.key)
  }

  get keys() {
    const { key } = this.requests
    return { records: key, ...reliableQueueKeys(key), channel: this.channels.messages }
  }

  /** The keys of one request that remembers its reply. */
  newKeys() {
    const request = idempotencyKey(this.requests.key, this.services.context.requestIds.next())
    return { ...this.keys, request }
  }

  /** Where its rates are counted. */
  get rates(): string {
    return this.limits.sharedRates ?? reliableQueueRates(this.requests.key)
  }

  /** The channel at which room is announced; nothing where any number of messages has room. */
  get space(): string {
    return this.limits.capacity > 0 ? this.channels.space : ''
  }
}
