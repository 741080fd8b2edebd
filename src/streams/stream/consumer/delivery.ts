import type { StreamDelivery, StreamNackOptions } from '../stream-consumer.api.js'
import { refuseSurplus } from '../../../util/refuse-surplus.js'
import type { Delivered } from '../stream-replies.js'

/** Who has handed a message out. */
export interface DeliveryOwner<K, V> {
  readonly decode: (fields: Delivered['fields']) => Map<K, V>
  readonly ack: (id: string) => Promise<void>
  readonly nack: (message: Delivered, options: StreamNackOptions | undefined) => Promise<void>
}

/** A message that a consumer has to settle. */
export class Delivery<K, V> implements StreamDelivery<K, V> {
  static {
    refuseSurplus(this, { nack: '`delayMs` is an option' })
  }

  readonly id: string
  readonly deliveries: number
  readonly #message: Delivered
  readonly #owner: DeliveryOwner<K, V>
  #fields: Map<K, V> | undefined

  constructor(message: Delivered, owner: DeliveryOwner<K, V>) {
    this.id = message.id
    this.deliveries = message.deliveries
    this.#message = message
    this.#owner = owner
  }

  get fields(): Map<K, V> {
    this.#fields ??= this.#owner.decode(this.#message.fields)
    return this.#fields
  }

  async ack(): Promise<void> {
    await this.#owner.ack(this.id)
  }

  async nack(options?: StreamNackOptions): Promise<void> {
    await this.#owner.nack(this.#message, options)
  }
}
