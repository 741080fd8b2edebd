import type { Delivery } from './reliable-queue.api.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import type { HeldDelivery } from './held-delivery.js'
import type { DeliveryLostError } from './reliable-queue.errors.js'

/** Where deliveries come from. */
export interface DeliverySource<V> {
  /**
   * Waits for as many deliveries at most.
   *
   * @param onLate - is called where messages came after their time was over; a warning of the process if left out
   */
  readonly take: (
    count: number,
    signal: AbortSignal,
    onLate?: (error: DeliveryLostError) => void,
  ) => Promise<readonly HeldDelivery[]>
  /** What the program is given of a delivery; undefined for a message that cannot be read, which is a dead letter then. */
  readonly open: (held: HeldDelivery) => Promise<Delivery<V> | undefined>
  /** Gives deliveries back that were not handed out. Never rejects. */
  readonly giveBack: (held: readonly HeldDelivery[]) => Promise<void>
  /** Listens for cancelled messages, and tells their deliveries. Returns what ends that. */
  readonly listen: () => () => void
  /** How many messages one request takes. */
  readonly mostAtOnce: number
}

/** One iteration over deliveries. */
export class Consumption<V> implements AsyncIterator<Delivery<V>, undefined> {
  readonly #source: DeliverySource<V>
  readonly #concurrency: number
  readonly #signal: AbortSignal | undefined
  readonly #ending = new AbortController()
  /** Those that have been taken, and wait for the iteration. */
  readonly #waiting: HeldDelivery[] = []
  /** How many are neither settled nor lost. */
  #open = 0
  readonly #ended = new AutoResetEvent()
  #stopListening: (() => void) | undefined
  /** Calls get their deliveries in their order. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: DeliverySource<V>, concurrency: number, signal: AbortSignal | undefined) {
    this.#source = source
    this.#concurrency = concurrency
    this.#signal = signal
  }

  next(): Promise<IteratorResult<Delivery<V>, undefined>> {
    const next = this.#last.then(() => this.#next())
    this.#last = next.catch(() => undefined)
    return next
  }

  async return(): Promise<IteratorResult<Delivery<V>, undefined>> {
    this.#ending.abort()
    await this.#last
    await this.#end()
    return { done: true, value: undefined }
  }

  async #next(): Promise<IteratorResult<Delivery<V>, undefined>> {
    const { signal } = this.#ending
    if (signal.aborted) return { done: true, value: undefined }
    try {
      this.#stopListening ??= this.#source.listen()
      return { done: false, value: await this.#nextDelivery(eitherSignal(signal, this.#signal)) }
    } catch (error) {
      const isEnded = error === signal.reason
      this.#ending.abort() // an iteration that has thrown is over
      await this.#end()
      if (isEnded) return { done: true, value: undefined }
      throw error
    }
  }

  async #nextDelivery(signal: AbortSignal): Promise<Delivery<V>> {
    for (;;) {
      signal.throwIfAborted()
      const held = this.#waiting.shift()
      if (held?.isCancelled === true) await this.#source.giveBack([held])
      const delivery = held?.isHeld === true ? await this.#source.open(held) : undefined
      if (delivery !== undefined) return delivery
      if (held !== undefined) continue
      const free = this.#concurrency - this.#open
      if (free > 0) this.#add(await this.#source.take(Math.min(free, this.#source.mostAtOnce), signal))
      else await this.#ended.wait(Infinity, signal)
    }
  }

  #add(taken: readonly HeldDelivery[]): void {
    for (const held of taken) {
      this.#open += 1
      this.#waiting.push(held)
      held.onEnd(() => {
        this.#open -= 1
        this.#ended.set()
      })
    }
  }

  async #end(): Promise<void> {
    this.#stopListening?.()
    this.#stopListening = undefined
    await this.#source.giveBack(this.#waiting.splice(0))
  }
}
