import { setTimeout as sleep } from 'node:timers/promises'
import type { ElementSubscription } from './blocking-queue.api.js'
import { CodecError } from '../../errors/codec-errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isLasting, isTransient, mayHaveRun } from '../../errors/transient.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { refuseSurplus } from '../../util/refuse-surplus.js'
import { SubscriptionEmitter } from '../../util/subscription-emitter.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** The pause after an error, in milliseconds. */
const PAUSE_MS = 1_000

/** An element that was removed, and how it is put back. */
export interface TakenElement<V> {
  /** @throws {@link CodecError} for an element that the codec cannot read */
  readonly read: () => V
  readonly giveBack: () => Promise<unknown>
}

/** What elements are taken with, and who gets them. */
interface Consumption<V> {
  readonly take: (signal: AbortSignal) => Promise<TakenElement<V>>
  readonly listener: (value: V) => unknown
  /** Each of them ends it. */
  readonly ends: readonly (AbortSignal | undefined)[]
}

/** Takes one element after the other for a listener. */
export class ElementSubscriptionLoop<V> implements ElementSubscription {
  static {
    refuseSurplus(this, {
      on: 'off() ends it',
      off: 'it removes one listener',
      unsubscribe: 'it ends this subscription',
    })
  }

  readonly #consumption: Consumption<V>
  readonly #ending = new AbortController()
  readonly #events = new SubscriptionEmitter<{ error: Error }>('error')
  readonly #stopFollowing: () => void
  /** Settles when the element that was being taken is with the listener, or back. */
  #taking: Promise<unknown> = Promise.resolve()

  constructor(consumption: Consumption<V>) {
    this.#consumption = consumption
    this.#stopFollowing = followAborts(this.#ending, consumption.ends)
    void withoutAsyncContext(() => this.#run())
  }

  on(event: 'error', listener: (error: Error) => void): this {
    this.#events.on(event, listener)
    return this
  }

  off(event: 'error', listener: (error: Error) => void): this {
    this.#events.off(event, listener)
    return this
  }

  async unsubscribe(): Promise<void> {
    this.#ending.abort()
    await this.#taking
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.unsubscribe()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const taking = this.#take(signal)
      this.#taking = taking
      const taken = await taking
      if (taken !== undefined) await this.#handOver(taken.value)
    }
    this.#stopFollowing()
  }

  /** Returns undefined if there is no element to hand over: the subscription has ended, or there was an error. */
  async #take(signal: AbortSignal): Promise<{ readonly value: V } | undefined> {
    try {
      const taken = await this.#consumption.take(signal)
      if (!signal.aborted) return { value: taken.read() }
      await taken.giveBack()
    } catch (error) {
      await this.#afterError(error as Error, signal)
    }
    return undefined
  }

  async #afterError(error: Error, signal: AbortSignal): Promise<void> {
    if (isRedissonError(error, 'CLOSED') || isRedissonError(error, 'ABORTED')) this.#ending.abort()
    if (signal.aborted) return
    if (!isTransient(error) || mayHaveRun(error) || isLasting(error)) this.#events.emitOrWarn(error)
    if (error instanceof CodecError) return // the next element may be readable
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }

  /** Each call is a flow of its own: what the listener holds by `lock()` is not held by the next call. */
  async #handOver(value: V): Promise<void> {
    const { listener } = this.#consumption
    try {
      await withoutAsyncContext(async () => await listener(value))
    } catch (error) {
      this.#events.emitOrThrow(error)
    }
  }
}
