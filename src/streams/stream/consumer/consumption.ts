import type { StreamDelivery } from '../stream-consumer.api.js'
import type { EntryCodec } from '../../../collections/map/entry-codec.js'
import { asEnded } from '../../../core/holds/ended-calls.js'
import { Intake, type IntakeParts } from './intake.js'
import { Outlet } from './outlet.js'
import type { Delivery } from './delivery.js'

/** What a loop over the messages of a group needs. */
export interface Consumption<K, V> extends IntakeParts {
  /** The name of the stream, as the program gave it. */
  readonly object: string
  readonly codec: EntryCodec<K, V>
  /** Each of them ends the loop. */
  readonly ends: readonly (AbortSignal | undefined)[]
  /** That of them which is the object's. */
  readonly signal: AbortSignal | undefined
}

/** Iterates over the messages of a group. Each iteration is a consumer of its own. */
export function consumptionOf<K, V>(
  consumption: Consumption<K, V>,
): AsyncIterable<StreamDelivery<K, V>, undefined> {
  return { [Symbol.asyncIterator]: () => new ConsumerLoop(consumption) }
}

const DONE: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined })

/** One iteration. */
class ConsumerLoop<K, V> implements AsyncIterator<StreamDelivery<K, V>, undefined> {
  readonly #consumption: Consumption<K, V>
  readonly #intake: Intake
  readonly #outlet: Outlet<K, V>
  /** Calls get their messages in their order. */
  #last: Promise<unknown> | undefined
  #end: Promise<void> | undefined

  constructor(consumption: Consumption<K, V>) {
    this.#consumption = consumption
    this.#intake = new Intake(consumption)
    this.#outlet = new Outlet(consumption, this.#intake)
  }

  next(): Promise<IteratorResult<StreamDelivery<K, V>, undefined>> {
    const ready = this.#last === undefined && !this.#intake.ending.aborted ? this.#outlet.next() : undefined
    if (ready !== undefined) return Promise.resolve({ done: false, value: ready }) // as nearly always
    const next = this.#inTurn(() => this.#next())
    return next
  }

  /** Ends the loop, and what is being read: a message that has come by then is still the result of its call. */
  async return(): Promise<IteratorResult<StreamDelivery<K, V>, undefined>> {
    this.#intake.stop()
    await this.#last
    await this.#close()
    return DONE
  }

  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#last === undefined ? call() : this.#last.then(call)
    const last = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#last = last
    void last.then(() => {
      if (this.#last === last) this.#last = undefined
    })
    return turn
  }

  async #next(): Promise<IteratorResult<StreamDelivery<K, V>, undefined>> {
    if (this.#end !== undefined) return DONE
    try {
      const value = await this.#find()
      return { done: false, value }
    } catch (error) {
      await this.#close()
      if (this.#intake.isStop(error)) return DONE
      const { signal, object } = this.#consumption
      throw asEnded(error, { signal, request: `a consumer of ${object}`, mayHaveRun: () => false })
    }
  }

  async #find(): Promise<Delivery<K, V>> {
    for (;;) {
      this.#intake.ending.throwIfAborted()
      await this.#outlet.untilAllowed()
      const found = this.#outlet.next()
      if (found !== undefined) return found
      await this.#intake.fill()
    }
  }

  #close(): Promise<void> {
    this.#end ??= this.#intake.close()
    return this.#end
  }
}
