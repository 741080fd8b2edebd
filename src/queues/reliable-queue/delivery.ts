import type { Delivery, NackOptions } from './reliable-queue.api.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import { extensionOf } from '../../core/arguments/arguments.js'
import { optionsOf, known, refuseSurplus } from '../../core/arguments/options.js'
import { delayOf } from './offer-options.js'
import { showOnly } from '../../util/show-only.js'
import { inspectShort } from '../../util/inspect-short.js'
import type { HeldDelivery } from './held-delivery.js'
import { DeliveryLostError } from './reliable-queue.errors.js'
import type { Settlements } from './settlements.js'
import { CLIENTS } from '../../util/refused-calls.js'

const NACK = known<NackOptions>({ delayMs: true, error: true })

/** How much of an error is kept. */
const LONGEST_REASON = 1_000

/** A delivery as the program sees it. */
export class RedissonDelivery<V> implements Delivery<V> {
  static {
    showOnly(this, 'Delivery', factsOf, { depth: 2 })
    refuseSurplus(this, { reject: 'it has one error', extend: 'it is one number of milliseconds' })
  }

  readonly #held: HeldDelivery
  readonly #value: V
  readonly #settlements: Settlements

  /** @throws {@link CodecError} for a message that cannot be read */
  constructor(held: HeldDelivery, codec: ValueCodec<V>, settlements: Settlements) {
    this.#held = held
    this.#value = codec.decode(held.message.value)
    this.#settlements = settlements
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#settlements.client]
  }

  get id(): string {
    return this.#held.message.id
  }

  get value(): V {
    return this.#value
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#held.message.facts.headers
  }

  get priority(): number {
    return this.#held.message.facts.priority
  }

  get group(): string | undefined {
    const { group } = this.#held.message.facts
    return group === '' ? undefined : group
  }

  get deliveries(): number {
    return this.#held.message.failures + 1
  }

  get fencingToken(): number {
    return this.#held.message.token
  }

  get signal(): AbortSignal {
    return this.#held.signal
  }

  get isHeld(): boolean {
    return this.#held.isHeld
  }

  async ack(): Promise<void> {
    await this.#settlements.acknowledge(this.#held)
  }

  async nack(options?: NackOptions): Promise<void> {
    const { delayMs, error } = optionsOf(options, NACK)
    await this.#settlements.fail(this.#held, {
      delayMs: delayOf(delayMs),
      reason: reasonOf(error),
      isFinal: false,
    })
  }

  async reject(error?: unknown): Promise<void> {
    const reason = reasonOf(error, 'it was rejected')
    await this.#settlements.fail(this.#held, { delayMs: 0, reason, isFinal: true })
  }

  async release(): Promise<void> {
    await this.#settlements.release(this.#held)
  }

  async extend(visibilityMs?: number): Promise<void> {
    await this.#held.extend(extensionOf(visibilityMs, 'a delivery', 'visibilityMs'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isHeld) return
    await this.release().catch((error: unknown) => {
      if (!(error instanceof DeliveryLostError)) throw error // it was being settled
    })
  }
}

/** What is shown of a delivery. */
function factsOf<V>({
  id,
  value,
  headers,
  priority,
  group,
  deliveries,
  fencingToken,
  isHeld,
}: RedissonDelivery<V>): object {
  return { id, value, headers, priority, group, deliveries, fencingToken, isHeld }
}

/**
 * The text that is kept of an error; it never throws.
 *
 * @param byDefault - that of none
 */
export function reasonOf(error: unknown, byDefault = 'it was not acknowledged'): string {
  if (error === undefined) return byDefault
  return wordsOf(error).slice(0, LONGEST_REASON).toWellFormed()
}

/** A program may throw anything, also what throws when it is read. */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : inspectShort(error)
  } catch {
    return inspectShort(error)
  }
}
