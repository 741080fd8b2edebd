import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery, QueueWorker, QueueWorkerEvents, WorkerCloseOptions } from './reliable-queue.api.js'
import { milliseconds } from '../../core/arguments/arguments.js'
import { known, optionsOf } from '../../core/arguments/options.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isLasting, isTransient } from '../../errors/transient.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { callSafely } from '../../util/call-safely.js'
import { refuseSurplus } from '../../util/refuse-surplus.js'
import { SubscriptionEmitter } from '../../util/subscription-emitter.js'
import { timerDelay } from '../../util/time/timers.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { DeliverySource } from './consumption.js'
import type { HeldDelivery } from './held-delivery.js'
import { delayOf } from './offer-options.js'
import { DeliveryLostError } from './reliable-queue.errors.js'

/** The pause after an error, in milliseconds. */
const PAUSE_MS = 1_000

/** How long a worker that was closed waits until what is left was given back, in milliseconds. It may go on after that. */
const GIVE_BACK_MS = 1_000

const CLOSE = known<WorkerCloseOptions>({ drainMs: true })

const FIRST_RETRY_MS = 1_000

const LONGEST_RETRY_MS = 60_000

/** What a worker does. */
export interface Work<V> {
  readonly source: DeliverySource<V>
  readonly handler: (delivery: Delivery<V>) => unknown
  readonly concurrency: number
  readonly retryDelayMs: number | ((deliveries: number) => number) | undefined
  /** Each of them ends it. */
  readonly ends: readonly (AbortSignal | undefined)[]
}

type Events<V> = QueueWorkerEvents<V>

/** Takes messages, and has a function work on them. */
export class RedissonQueueWorker<V> implements QueueWorker<V> {
  static {
    refuseSurplus(this, {
      on: 'off() ends it',
      once: 'off() ends it',
      off: 'it removes one listener',
      close: 'it has one object of options',
    })
  }

  readonly #work: Work<V>
  readonly #ending = new AbortController()
  readonly #events = new SubscriptionEmitter<Events<V>>('failed', 'error')
  readonly #running = new Map<Promise<void>, HeldDelivery>()
  readonly #freed = new AutoResetEvent()
  readonly #over: Promise<void>

  constructor(work: Work<V>) {
    this.#work = work
    const stopFollowing = followAborts(this.#ending, work.ends)
    const stopListening = work.source.listen()
    this.#over = withoutAsyncContext(() => this.#run()).then(() => {
      stopFollowing()
      stopListening()
    })
  }

  on<K extends keyof Events<V>>(event: K, listener: (event: Events<V>[K]) => void): this {
    this.#events.on(event, listener)
    return this
  }

  once<K extends keyof Events<V>>(event: K, listener: (event: Events<V>[K]) => void): this {
    this.#events.once(event, listener)
    return this
  }

  off<K extends keyof Events<V>>(event: K, listener: (event: Events<V>[K]) => void): this {
    this.#events.off(event, listener)
    return this
  }

  async close(options?: WorkerCloseOptions): Promise<void> {
    const { drainMs = Infinity } = optionsOf<WorkerCloseOptions>(options, CLOSE)
    const patience = Math.max(0, milliseconds('drainMs', drainMs))
    this.#ending.abort()
    if (await endsWithin(this.#over, patience)) return
    await endsWithin(this.#giveUp(), GIVE_BACK_MS)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Gives all deliveries back whose functions still run. */
  async #giveUp(): Promise<void> {
    const left = [...this.#running.values()]
    for (const held of left) held.onLeaseLost('closed')
    await this.#work.source.giveBack(left)
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        await this.#takeMore(signal)
      } catch (error) {
        await this.#afterError(error as Error, signal)
      }
    }
    await Promise.all(this.#running.keys())
  }

  async #takeMore(signal: AbortSignal): Promise<void> {
    const { concurrency, source } = this.#work
    const free = concurrency - this.#running.size
    if (free === 0) {
      await this.#freed.wait(Infinity, signal)
      return
    }
    const taken = await source.take(Math.min(free, source.mostAtOnce), signal, (error) => {
      this.#events.emitOrWarn(error)
    })
    if (signal.aborted) await source.giveBack(taken)
    else for (const held of taken) this.#begin(held)
  }

  async #afterError(error: Error, signal: AbortSignal): Promise<void> {
    if (isRedissonError(error, 'CLOSED') || isRedissonError(error, 'ABORTED')) this.#ending.abort()
    if (signal.aborted) return
    if (!isTransient(error) || isLasting(error)) this.#events.emitOrWarn(error)
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }

  #begin(held: HeldDelivery): void {
    const running = this.#workOn(held).then(() => {
      this.#running.delete(running)
      this.#freed.set()
    })
    this.#running.set(running, held)
  }

  /** Never rejects. */
  async #workOn(held: HeldDelivery): Promise<void> {
    let delivery: Delivery<V> | undefined
    try {
      delivery = await this.#work.source.open(held)
      if (delivery === undefined) return
      await this.#handle(delivery)
    } catch (error) {
      if (delivery === undefined) this.#events.emitOrWarn(error as Error)
      else await this.#failed(held, delivery, error)
      return
    }
    const done = delivery
    await this.#insist(held, () => done.ack())
  }

  /** Each call is a flow of its own: what the function holds by `lock()` is not held by the next call. */
  async #handle(delivery: Delivery<V>): Promise<void> {
    const { handler } = this.#work
    await withoutAsyncContext(async () => await handler(delivery))
  }

  async #failed(held: HeldDelivery, delivery: Delivery<V>, error: unknown): Promise<void> {
    if (held.lost?.reason === 'closed') {
      await this.#insist(held, () => delivery.release(), false) // its function has only obeyed the signal
      return
    }
    const delayMs = this.#retryDelayOf(delivery.deliveries)
    await this.#insist(held, () => delivery.nack({ delayMs, error }), held.isHeld)
    callSafely(() => {
      this.#events.emit('failed', { delivery, error, isDead: held.isDead })
    })
  }

  /**
   * Settles a delivery, unless the function has done so, for as long as it lasts.
   *
   * @param isShared - whether errors are reported
   */
  async #insist(held: HeldDelivery, settle: () => Promise<void>, isShared = true): Promise<void> {
    let isReported = !isShared
    while (!held.isSettled) {
      try {
        await settle()
      } catch (error) {
        if (isOver(error)) return
        if (!isRedissonError(error)) {
          this.#giveUpOn(held, error as Error)
          return
        }
        const passes = isTransient(error) && !isLasting(error) && held.isHeld
        if (!isReported && !passes) this.#events.emitOrWarn(error)
        isReported ||= !passes
        if (!held.isHeld) return
        await sleep(PAUSE_MS, undefined, { ref: false })
      }
    }
  }

  /** Repeating what fails for another reason than Redis would never end. */
  #giveUpOn(held: HeldDelivery, error: Error): void {
    held.abandon()
    this.#events.emitOrWarn(error)
  }

  #retryDelayOf(deliveries: number): number {
    const { retryDelayMs } = this.#work
    if (typeof retryDelayMs === 'number') return retryDelayMs
    const byDefault = Math.min(FIRST_RETRY_MS * 2 ** Math.min(deliveries - 1, 10), LONGEST_RETRY_MS)
    if (retryDelayMs === undefined) return byDefault
    try {
      return delayOf(retryDelayMs(deliveries), 'retryDelayMs')
    } catch (error) {
      this.#events.emitOrThrow(error)
      return byDefault
    }
  }
}

/** Whether the function has settled the delivery meanwhile, or the client is closed. */
function isOver(error: unknown): boolean {
  return (
    isRedissonError(error, 'CLOSED') || (error instanceof DeliveryLostError && error.reason === 'settled')
  )
}

/** Whether something ends in a time. */
async function endsWithin(over: Promise<void>, ms: number): Promise<boolean> {
  if (ms === Infinity) {
    await over
    return true
  }
  const timer = new AbortController()
  const late = sleep(timerDelay(ms), false, { signal: timer.signal }).catch(() => false)
  const isOver = await Promise.race([over.then(() => true), late])
  timer.abort()
  return isOver
}
