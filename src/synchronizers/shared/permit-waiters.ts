import type { Patience } from '../../core/arguments/arguments.js'
import { Waiter, Waiters } from '../../waiting/waiters.js'

/** How many of a queue one request asks for at most. */
const MOST_CLAIMS = 100

/** What one caller wants. */
export interface Claim extends Patience {
  readonly permits: number
  /** How many permits the caller brings for a semaphore that is not there. */
  readonly initial: number | undefined
}

/** One that waits for permits. Its turn comes when it has them. */
export class PermitWaiter<C, T> extends Waiter {
  readonly claim: C
  got: T | undefined

  constructor(claim: C) {
    super()
    this.claim = claim
  }
}

/** Waiters for permits in the order in which they came: who is next, and who gets what. */
export class PermitWaiters<C extends Claim, T> extends Waiters<PermitWaiter<C, T>> {
  /** The first ones that one request serves. The very first is always among them. */
  firstWithin(mostPermits: number): PermitWaiter<C, T>[] {
    const first: PermitWaiter<C, T>[] = []
    let permits = 0
    for (const waiter of this) {
      permits += waiter.claim.permits
      if (first.length > 0 && permits > mostPermits) break
      if (first.push(waiter) === MOST_CLAIMS) break
    }
    return first
  }

  /** The first ones, who together want exactly that many permits; undefined where there are no such. */
  firstFor(permits: number): PermitWaiter<C, T>[] | undefined {
    const first: PermitWaiter<C, T>[] = []
    let wanted = 0
    for (const waiter of this) {
      if (wanted >= permits) break
      wanted += waiter.claim.permits
      first.push(waiter)
    }
    return wanted === permits ? first : undefined
  }

  /** Whether what was too little for one waiter is too little for the first as well. */
  isRefusedAs(other: PermitWaiter<C, T> | undefined): boolean {
    const { first } = this
    return first !== undefined && other !== undefined && first.claim.permits >= other.claim.permits
  }

  /** Ends the waiting of one with what it has got. Returns false if it has left. */
  serve(waiter: PermitWaiter<C, T>, got: T): boolean {
    if (!this.delete(waiter)) return false
    waiter.got = got
    waiter.turn.set()
    return true
  }
}

/** How many permits the first that brings any brings for a semaphore that is not there; undefined where none does. */
export function initialOf<C extends Claim>(waiters: Iterable<PermitWaiter<C, unknown>>): number | undefined {
  for (const { claim } of waiters) if (claim.initial !== undefined) return claim.initial
  return undefined
}
