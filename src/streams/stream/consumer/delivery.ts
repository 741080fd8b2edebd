import type { StreamDelivery, StreamNackOptions } from '../stream-consumer.api.js'
import { refuseSurplus } from '../../../util/refuse-surplus.js'
import type { MessageBytes } from '../stream-replies.js'
import type { Received } from './intake.js'
import { CLIENTS } from '../../../util/refused-calls.js'

/** A message that is to be settled. */
export interface Settleable {
  readonly id: string
  /** How often it was delivered. */
  readonly deliveries: number
}

/** Who has handed a message out. */
export interface DeliveryOwner<K, V> {
  /** The signal of the client. */
  readonly client: AbortSignal
  readonly decode: (fields: MessageBytes['fields']) => Map<K, V>
  readonly ack: (id: string) => Promise<void>
  readonly nack: (message: Settleable, options: StreamNackOptions | undefined) => Promise<void>
}

/** A message that a consumer has to settle. */
export class Delivery<K, V> implements StreamDelivery<K, V> {
  static {
    refuseSurplus(this, { nack: '`delayMs` is an option' })
  }

  readonly id: string
  readonly deliveries: number
  readonly #message: MessageBytes
  readonly #owner: DeliveryOwner<K, V>
  #fields: Map<K, V> | undefined

  constructor({ message, deliveries }: Received, owner: DeliveryOwner<K, V>) {
    this.id = message.id
    this.deliveries = deliveries
    this.#message = message
    this.#owner = owner
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#owner.client]
  }

  get fields(): Map<K, V> {
    this.#fields ??= this.#owner.decode(this.#message.fields)
    return this.#fields
  }

  async ack(): Promise<void> {
    await this.#owner.ack(this.id)
  }

  async nack(options?: StreamNackOptions): Promise<void> {
    await this.#owner.nack(this, options)
  }
}
