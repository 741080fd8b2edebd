import type { Patience } from '../../core/arguments/arguments.js'
import { sameOutage } from '../../core/holds/outage.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { LinkedList } from '../../util/collections/linked-list.js'
import type { Comer } from '../../waiting/own-time.js'

/** How many of a queue one request asks for at most. */
const MOST_CLAIMS = 100

/** What one caller wants. */
export interface Claim extends Patience {
  readonly permits: number
  /** How many permits the caller brings for a semaphore that is not there. */
  readonly initial: number | undefined
}

/** One waiter of a queue. */
export class QueuedTaker<C, T> implements Comer {
  readonly cameAt = performance.now()
  readonly claim: C
  /** How many came before it and with it, ever. */
  readonly number: number
  /** Wakes when it has got what it waits for. */
  readonly served = new AutoResetEvent()
  got: T | undefined

  constructor(claim: C, number: number) {
    this.claim = claim
    this.number = number
  }
}

/** Waiters for permits in the order in which they came: who is next, and who gets what. */
export class QueuedTakers<C extends Claim, T> implements Iterable<QueuedTaker<C, T>> {
  readonly #takers = new LinkedList<QueuedTaker<C, T>>()
  #comers = 0

  get isEmpty(): boolean {
    return this.#takers.size === 0
  }

  get first(): QueuedTaker<C, T> | undefined {
    return this.#takers.first
  }

  /** How many have ever come. */
  get comers(): number {
    return this.#comers
  }

  [Symbol.iterator](): Iterator<QueuedTaker<C, T>> {
    return this.#takers[Symbol.iterator]()
  }

  add(claim: C): QueuedTaker<C, T> {
    const taker = new QueuedTaker<C, T>(claim, (this.#comers += 1))
    this.#takers.add(taker)
    return taker
  }

  /** Returns false if it has left before. */
  delete(taker: QueuedTaker<C, T>): boolean {
    return this.#takers.delete(taker)
  }

  /** The first ones that one request serves. The very first is always among them. */
  firstWithin(mostPermits: number): QueuedTaker<C, T>[] {
    const first: QueuedTaker<C, T>[] = []
    let permits = 0
    for (const taker of this) {
      permits += taker.claim.permits
      if (first.length > 0 && permits > mostPermits) break
      if (first.push(taker) === MOST_CLAIMS) break
    }
    return first
  }

  /** The first ones, who together want exactly that many permits; undefined where there are no such. */
  firstFor(permits: number): QueuedTaker<C, T>[] | undefined {
    const first: QueuedTaker<C, T>[] = []
    let wanted = 0
    for (const taker of this) {
      if (wanted >= permits) break
      wanted += taker.claim.permits
      first.push(taker)
    }
    return wanted === permits ? first : undefined
  }

  /** Those among the first that have ever come, up to that number. */
  until(comers: number): QueuedTaker<C, T>[] {
    return [...this].filter(({ number }) => number <= comers)
  }

  /** Whether what was too little for one waiter is too little for the first as well. */
  isRefusedAs(other: QueuedTaker<C, T> | undefined): boolean {
    const { first } = this
    return first !== undefined && other !== undefined && first.claim.permits >= other.claim.permits
  }

  /** Ends the waiting of one with what it has got. Returns false if it has left. */
  serve(taker: QueuedTaker<C, T>, got: T): boolean {
    if (!this.delete(taker)) return false
    taker.got = got
    taker.served.set()
    return true
  }

  /** Ends the waiting of some with an error. */
  dismiss(takers: Iterable<QueuedTaker<C, T>>, error: Error): void {
    for (const taker of takers) {
      this.delete(taker)
      taker.served.fail(sameOutage(error))
    }
  }
}

/** How many permits the first that brings any brings for a semaphore that is not there; undefined where none does. */
export function initialOf<C extends Claim>(takers: Iterable<QueuedTaker<C, unknown>>): number | undefined {
  for (const { claim } of takers) if (claim.initial !== undefined) return claim.initial
  return undefined
}
