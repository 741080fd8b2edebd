import type { Delivery, QueueWorker } from './reliable-queue.api.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import { readTaken, withTaken } from '../../codec/taken.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { demandAllowedRequest } from '../../util/refused-calls.js'
import { Consumption, type DeliverySource } from './consumption.js'
import { RedissonDelivery, reasonOf } from './delivery.js'
import { heldKey, type HeldDelivery } from './held-delivery.js'
import type { ConsumeRequest, ProcessRequest } from './poll-options.js'
import type { QueueCore } from './queue-core.js'
import { Settlements } from './settlements.js'
import { endless, Takes, type TakeRequest } from './take/takes.js'
import { RedissonQueueWorker } from './worker.js'

/** How many messages one request takes at most for an iteration or a worker. */
const MOST_AT_ONCE = 100

/** The same where nothing renews their leases, which begin before the first message is sent. */
const FEW_AT_ONCE = 10

/** The deliveries of one queue, as programs get them. */
export class Deliveries<V> {
  readonly #queue: QueueCore
  readonly #codec: ValueCodec<V>
  readonly #settlements: Settlements
  readonly #takes: Takes

  constructor(queue: QueueCore, codec: ValueCodec<V>) {
    this.#queue = queue
    this.#codec = codec
    this.#settlements = new Settlements(queue)
    this.#takes = new Takes(queue, this.#settlements)
  }

  /** @throws {@link CodecError} with all deliveries, if a message cannot be read */
  async take(request: TakeRequest, patience: Patience): Promise<Delivery<V>[]> {
    const { signal } = this.#queue.requests
    let held: readonly HeldDelivery[]
    try {
      signal?.throwIfAborted()
      held = await this.#takes.take(request, { ...patience, signal: this.#whole(patience.signal) })
    } catch (error) {
      throw asEnded(error, { signal, request: `a poll of ${this.#queue.name}`, mayHaveRun: () => false })
    }
    const unread: HeldDelivery[] = []
    const { values, unreadable, failure } = readTaken(held, {
      decode: (each) => new RedissonDelivery(each, this.#codec, this.#settlements),
      bytesOf: (each) => {
        unread.push(each)
        return each.message.value
      },
    })
    if (failure === undefined) return values
    await Promise.all(unread.map((each) => this.#bury(each, failure)))
    throw withTaken(failure, values, unreadable)
  }

  consume({ concurrency, visibilityMs, signal }: ConsumeRequest): AsyncIterable<Delivery<V>, undefined> {
    const { closing } = this.#queue.services.context
    demandAllowedRequest(closing)
    const source: DeliverySource<V> = {
      ...this.#sourceOf(visibilityMs),
      open: (held) => this.#open(held).catch(() => undefined),
      ...(visibilityMs !== undefined && { mostAtOnce: 1 }), // what waits here would not wait for long
    }
    return {
      [Symbol.asyncIterator]: () =>
        new Consumption(source, concurrency, eitherSignal(this.#whole(signal), closing)),
    }
  }

  /** @throws {@link ClientClosedError} after the client was shut down */
  process(handler: (delivery: Delivery<V>) => unknown, request: ProcessRequest): QueueWorker<V> {
    const { concurrency, visibilityMs, signal, retryDelayMs } = request
    const { closing } = this.#queue.services.context
    demandAllowedRequest(closing)
    closing.throwIfAborted()
    return new RedissonQueueWorker({
      source: { ...this.#sourceOf(visibilityMs), open: (held) => this.#open(held) },
      handler,
      concurrency,
      retryDelayMs,
      ends: [signal, this.#queue.requests.signal, closing],
    })
  }

  #sourceOf(visibilityMs: number | undefined): Omit<DeliverySource<V>, 'open'> {
    return {
      take: (count, signal, onLate) =>
        this.#takes.take(
          { count, visibilityMs, isConsumer: true, ...(onLate && { onLate }) },
          endless(signal),
        ),
      giveBack: (held) => this.#settlements.releaseAll(held),
      listen: () => this.#listen(),
      mostAtOnce: visibilityMs === undefined ? MOST_AT_ONCE : FEW_AT_ONCE,
    }
  }

  /**
   * A message that cannot be read becomes a dead letter.
   *
   * @throws {@link CodecError}
   */
  async #open(held: HeldDelivery): Promise<Delivery<V>> {
    try {
      return new RedissonDelivery(held, this.#codec, this.#settlements)
    } catch (error) {
      await this.#bury(held, error)
      throw error
    }
  }

  /** Makes a dead letter of a message. If that fails, it is delivered again, and fails again. */
  async #bury(held: HeldDelivery, error: unknown): Promise<void> {
    await this.#settlements.fail(held, { reason: reasonOf(error), delayMs: 0, isFinal: true }).catch(() => {
      held.abandon()
    })
  }

  /** Tells deliveries that their messages were cancelled. What is missed is told by their next renewal. */
  #listen(): () => void {
    const { channels, requests, services } = this.#queue
    const message = (payload: Buffer) => {
      const [id = '', token = '', ...words] = payload.toString().split(' ')
      services.held.get(heldKey(requests.key, `${id} ${token}`))?.cancel(words.join(' '))
    }
    const nothing = () => undefined
    const listener = { message, subscribed: nothing, gap: nothing, refused: nothing }
    const subscription = services.context.subscriptions.joinAnnouncements(channels.cancels, listener)
    return () => {
      subscription.leave()
    }
  }

  /** The signal of the call, and that of the object. */
  #whole(signal: AbortSignal | undefined): AbortSignal | undefined {
    return eitherSignal(signal, this.#queue.requests.signal)
  }
}
