import type { StreamNackOptions } from '../stream-consumer.api.js'
import { demandOptions, known } from '../../../core/arguments/options.js'
import { milliseconds } from '../../../core/arguments/arguments.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'
import type { EntryCodec } from '../../../collections/map/entry-codec.js'
import type { ConsumerSettings } from './consumer-settings.js'
import { Acknowledgements } from './acknowledgements.js'
import type { Intake } from './intake.js'
import { Delivery, type DeliveryOwner } from './delivery.js'
import { decodedFields } from '../stream-messages.js'
import type { Delivered } from '../stream-replies.js'

const NACK = known<StreamNackOptions>({ delayMs: true })

/** The messages that a consumer hands out, and what becomes of them. */
export class Outlet<K, V> {
  readonly #intake: Intake
  readonly #settings: ConsumerSettings
  /** Those that were handed out and are not settled. */
  readonly #unsettled = new Set<string>()
  readonly #settled = new AutoResetEvent()
  readonly #acknowledgements: Acknowledgements
  readonly #owner: DeliveryOwner<K, V>

  constructor({ codec, settings }: { codec: EntryCodec<K, V>; settings: ConsumerSettings }, intake: Intake) {
    this.#intake = intake
    this.#settings = settings
    this.#acknowledgements = new Acknowledgements((ids) => intake.requests.settle(ids))
    this.#owner = {
      decode: (fields) => decodedFields(codec, fields),
      ack: (id) => this.#ack(id),
      nack: (message, options) => this.#nack(message, options),
    }
  }

  /** The next message that is here and may be handed out, if there is any. */
  next(): Delivery<K, V> | undefined {
    if (this.#isFull) return undefined
    const message = this.#intake.next()
    if (message === undefined) return undefined
    this.#unsettled.add(message.id)
    return new Delivery(message, this.#owner)
  }

  /** Waits while as many messages are handed out as may be. */
  async untilAllowed(): Promise<void> {
    while (this.#isFull) await this.#settled.wait(Infinity, this.#intake.ending)
  }

  get #isFull(): boolean {
    return this.#unsettled.size >= this.#settings.concurrency
  }

  async #ack(id: string): Promise<void> {
    await this.#acknowledgements.add(id)
    this.#settle(id)
  }

  async #nack(message: Delivered, options: StreamNackOptions = {}): Promise<void> {
    const delayMs = this.#delayOf(options)
    const { dead } = this.#settings
    this.#settle(message.id) // it may be claimed as soon as it is back
    if (dead !== undefined && message.deliveries >= dead.most) await this.#intake.bury(message)
    else await this.#intake.requests.giveBack([message], delayMs)
    this.#intake.claimIn(delayMs)
  }

  #settle(id: string): void {
    this.#unsettled.delete(id)
    this.#intake.held.delete(id)
    this.#settled.set()
  }

  #delayOf(options: StreamNackOptions): number {
    demandOptions(options, NACK)
    const delayMs = Math.ceil(milliseconds('delayMs', options.delayMs ?? 0))
    const { claimIdleMs } = this.#settings
    const most = claimIdleMs === Infinity ? 0 : claimIdleMs
    if (delayMs >= 0 && delayMs <= most) return delayMs
    throw new RangeError(
      `Expected \`delayMs\` to be from 0 to ${String(most)} milliseconds, got ${String(delayMs)}`,
    )
  }
}
