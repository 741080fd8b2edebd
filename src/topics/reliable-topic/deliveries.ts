import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageDelivery, DroppedMessage, ReliableSubscriptionEvents } from './reliable-topic.api.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import type { SubscriptionEmitter } from '../../util/subscription-emitter.js'
import { timerDelay } from '../../util/time/timers.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { defaultRetryDelay, type Listening } from './listening.js'
import type { Batch, SubscriberPlace } from './subscriber-place.js'
import type { Tenure } from './tenure.js'
import type { StoredMessage } from './topic-requests.js'

/** What messages are delivered with. */
export interface DeliveryDeps {
  readonly place: SubscriberPlace
  /** Reads a message; what it throws is reported. */
  readonly read: (bytes: Buffer | undefined) => unknown
  /** Calls the listener. */
  readonly take: (message: unknown, delivery: MessageDelivery) => unknown
  readonly listening: Listening
  /** The key of the topic that gets what is given up. */
  readonly deadLetterKey: string | undefined
  readonly events: SubscriptionEmitter<ReliableSubscriptionEvents>
}

/** For how long messages are delivered. */
interface Extent {
  readonly tenure: Tenure
  readonly ending: AbortSignal
  /** Aborts with either. */
  readonly signal: AbortSignal
}

/** Calls a listener with one message after the other, and decides what becomes of each. */
export class Deliveries {
  readonly #deps: DeliveryDeps
  #isRunning = false

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Whether a listener is running whose end decides what becomes of a message that another process would get otherwise. */
  get isWaitedFor(): boolean {
    return this.#isRunning && this.#isShared
  }

  /** Delivers messages until one has to be read again, or the subscriber is not with this process any more. */
  async deliver({ messages, deliveries }: Batch, tenure: Tenure, ending: AbortSignal): Promise<void> {
    const { place } = this.#deps
    const extent = { tenure, ending, signal: eitherSignal(ending, tenure.signal) }
    for (const [at, message] of messages.entries()) {
      if (ending.aborted || !tenure.isHeld || place.isLeft) return
      if (!(await this.#deliver(message, at === 0 ? deliveries : 1, extent))) return
    }
  }

  get #isShared(): boolean {
    return this.#deps.listening.subscriber !== undefined
  }

  /** Returns whether the message is done. */
  async #deliver(
    { id, bytes }: StoredMessage,
    deliveries: number,
    { tenure, ending, signal }: Extent,
  ): Promise<boolean> {
    const { listening, place, events } = this.#deps
    if (deliveries > listening.maxDeliveries) return await this.#giveUp(id, deliveries - 1, 'deliveries')
    let message: unknown
    try {
      message = this.#deps.read(bytes && Buffer.from(bytes)) // other subscribers get the same bytes, and a codec may return them
    } catch (error) {
      events.emitOrWarn(error as Error)
      return await this.#giveUp(id, deliveries, 'unreadable')
    }
    const delivery = {
      id,
      deliveries,
      publishedAt: new Date(Number.parseInt(id)),
      get signal() {
        tenure.check() // no timer has run yet when the process has just stood still
        return signal
      },
    }
    try {
      place.start(id, deliveries)
      await this.#take(message, delivery, ending)
    } catch (error) {
      if (!this.#isShared && ending.aborted) return false
      events.emitOrThrow(error)
      if (deliveries >= listening.maxDeliveries) return await this.#giveUp(id, deliveries, 'deliveries')
      await this.#pause(deliveries, signal)
      return false
    }
    place.finish(id)
    return true
  }

  /** A subscriber of this process alone ends without its listener: no other one gets the message. */
  async #take(message: unknown, delivery: MessageDelivery, ending: AbortSignal): Promise<void> {
    this.#isRunning = true
    try {
      const taking = this.#taken(message, delivery)
      if (this.#isShared) await taking
      else await raceAbort(taking, ending)
    } finally {
      this.#isRunning = false
    }
  }

  /** Each call is a flow of its own: what the listener holds by `lock()` is not held by the next call. */
  async #taken(message: unknown, delivery: MessageDelivery): Promise<void> {
    const { take } = this.#deps
    await withoutAsyncContext(async () => await take(message, delivery))
  }

  async #giveUp(id: string, deliveries: number, reason: DroppedMessage['reason']): Promise<boolean> {
    const { place, deadLetterKey, listening, events } = this.#deps
    const isGone = await (deadLetterKey === undefined ? place.drop(id) : place.bury(id, deadLetterKey))
    if (!isGone) return false
    events.emit('dropped', { id, deliveries, reason, deadLetterTopic: listening.deadLetterTopic })
    return true
  }

  async #pause(deliveries: number, signal: AbortSignal): Promise<void> {
    const { listening, events } = this.#deps
    let delayMs: number
    try {
      delayMs = listening.retryDelayMs(deliveries)
    } catch (error) {
      delayMs = defaultRetryDelay(deliveries)
      events.emitOrThrow(error)
    }
    await sleep(timerDelay(delayMs), undefined, { signal }).catch(() => undefined)
  }
}
