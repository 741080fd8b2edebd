import type { StreamNackOptions } from '../stream-consumer.api.js'
import { demandOptions, known } from '../../../core/arguments/options.js'
import { milliseconds } from '../../../core/arguments/arguments.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'
import type { EntryCodec } from '../../../collections/map/entry-codec.js'
import type { ConsumerSettings } from './consumer-settings.js'
import { Acknowledgements } from './acknowledgements.js'
import type { Intake } from './intake.js'
import { Delivery, type DeliveryOwner, type Settleable } from './delivery.js'
import { decodedFields } from '../stream-messages.js'

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
    this.#acknowledgements = new Acknowledgements(
      (ids) => intake.requests.settle(ids),
      (id) => {
        this.#settle(id)
      },
    )
    this.#owner = {
      client: intake.client,
      decode: (fields) => decodedFields(codec, fields),
      ack: (id) => this.#acknowledgements.add(id),
      nack: (message, options) => this.#nack(message, options),
    }
  }

  /** The next message that is here and may be handed out, if there is any. */
  next(): Delivery<K, V> | undefined {
    if (this.#isFull) return undefined
    const received = this.#intake.next()
    if (received === undefined) return undefined
    if (this.#isLimited) this.#unsettled.add(received.message.id)
    return new Delivery(received, this.#owner)
  }

  /** Waits while as many messages are handed out as may be. */
  async untilAllowed(): Promise<void> {
    while (this.#isFull) await this.#settled.wait(Infinity, this.#intake.ending)
  }

  get #isLimited(): boolean {
    return this.#settings.concurrency !== Infinity
  }

  get #isFull(): boolean {
    return this.#unsettled.size >= this.#settings.concurrency
  }

  async #nack({ id, deliveries }: Settleable, options: StreamNackOptions = {}): Promise<void> {
    const delayMs = this.#delayOf(options)
    const { dead } = this.#settings
    this.#settle(id) // it may be claimed as soon as it is back
    if (dead !== undefined && deliveries >= dead.most) await this.#intake.bury({ id, deliveries })
    else await this.#intake.requests.giveBack([{ id, deliveries }], delayMs)
    this.#intake.claimIn(delayMs)
  }

  #settle(id: string): void {
    this.#intake.held.delete(id)
    if (this.#unsettled.delete(id)) this.#settled.set()
  }

  #delayOf(options: StreamNackOptions): number {
    demandOptions(options, NACK)
    const { delayMs: given = 0 } = options
    const delayMs = Math.ceil(milliseconds('delayMs', given))
    const { claimIdleMs } = this.#settings
    const most = claimIdleMs === Infinity ? 0 : claimIdleMs
    if (delayMs >= 0 && delayMs <= most) return delayMs
    throw new RangeError(
      `Expected \`delayMs\` to be from 0 to ${String(most)} milliseconds, got ${String(delayMs)}`,
    )
  }
}
