import type { Seat } from '../pubsub/seat.js'
import { waitUntil, type Attempt } from '../pubsub/wait-until.js'
import type { WakesOf } from '../pubsub/wake-ups.js'
import type { Deadline } from '../util/deadline.js'
import { Sleeper } from '../util/sleeper.js'
import type { ObjectContext } from './object-context.js'

/** Someone in a line. */
export class Place {
  /** Wakes when it is the first. */
  readonly turn = new Sleeper()
  /** Where the first one listens. */
  seat: Seat | undefined
  /** Known, when it became the first, to ask in vain for so long, in milliseconds. */
  retryInMs: number | undefined
}

export interface Waiter<T> {
  readonly deadline: Deadline
  readonly signal: AbortSignal | undefined
  readonly attempt: () => Promise<Attempt<T>>
  /** For how long the next in line need not try, now that this one has got what it waited for; undefined if it should. */
  readonly retryNextInMs: (value: T) => number | undefined
}

/**
 * Those in this process who wait for one thing, first come, first served.
 *
 * Only the first of them listens and asks Redis, so that fifty waiters are one to the server.
 */
export class WaitingLine<P extends Place = Place> {
  readonly #context: ObjectContext
  readonly #channel: string
  readonly #wakesOf: WakesOf
  readonly #places: P[] = []

  constructor(context: ObjectContext, channel: string, wakesOf: WakesOf) {
    this.#context = context
    this.#channel = channel
    this.#wakesOf = wakesOf
  }

  get length(): number {
    return this.#places.length
  }

  get isEmpty(): boolean {
    return this.length === 0
  }

  get first(): P | undefined {
    return this.#places[0]
  }

  includes(place: P): boolean {
    return this.#places.includes(place)
  }

  /** Waits in line, then for the thing; answers undefined when the deadline has passed. */
  async wait<T>(place: P, waiter: Waiter<T>): Promise<T | undefined> {
    this.#places.push(place)
    if (this.first === place) this.#promote(place, undefined)
    let got: T | undefined
    try {
      got = await this.#contend(place, waiter)
      return got
    } finally {
      this.#leave(place, got === undefined ? undefined : waiter.retryNextInMs(got))
    }
  }

  async #contend<T>(place: P, { deadline, signal, attempt }: Waiter<T>): Promise<T | undefined> {
    if (!(await place.turn.sleep(deadline.within(Infinity), signal)) || place.seat === undefined)
      return undefined
    const { subscriptionTimeoutMs } = this.#context.config
    const { retryInMs } = place
    return await waitUntil(place.seat, { attempt, deadline, signal, subscriptionTimeoutMs, retryInMs })
  }

  /** The next one sits down before this one gets up, so that the channel stays subscribed and no message is missed. */
  #leave(place: P, retryNextInMs: number | undefined): void {
    const wasFirst = this.first === place
    this.#places.splice(this.#places.indexOf(place), 1)
    const [next] = this.#places
    if (wasFirst && next !== undefined) this.#promote(next, retryNextInMs)
    place.seat?.leave()
  }

  #promote(place: P, retryInMs: number | undefined): void {
    place.retryInMs = retryInMs
    try {
      place.seat = this.#context.wakeUps.sit(this.#channel, this.#wakesOf)
      place.turn.wake()
    } catch (error) {
      place.turn.dismiss(error as Error) // the client is being shut down
    }
  }
}
