import type { Attempt } from '../../../waiting/wait-until.js'
import type { Lease } from '../../../renewal/lease.js'
import { RenewalService } from '../../../renewal/renewal-service.js'
import { timerDelay } from '../../../util/time/timers.js'
import type { AcquireRequest, AcquireResult } from '../engine/lock-driver.js'

interface Visit {
  /** What it waits for, as its leases call it. */
  readonly place: string
  /** Tries once, where the waiting does not begin with that itself. */
  readonly attempt?: () => Promise<Attempt<AcquireResult>>
  /** Waits, after the first attempt has failed if there was one. */
  readonly wait: () => Promise<AcquireResult | undefined>
  /** Removes the place of the waiter in Redis. */
  readonly leave: () => Promise<unknown>
}

/** The waiters of this client with places in Redis, which need heartbeats, and are removed when they leave. */
export class WaiterHeartbeats {
  readonly #service: RenewalService
  readonly #visits = new Set<Promise<unknown>>()
  /** How many wait at a place as the same owner: several calls may, where the owner is a named thread. */
  readonly #calls = new Map<string, number>()
  /** The last request of each waiter. */
  readonly #asked = new WeakMap<AcquireRequest, Promise<unknown>>()

  constructor(settings: ConstructorParameters<typeof RenewalService>[0]) {
    this.#service = new RenewalService(settings)
  }

  /** Tells Redis again and again that a waiter is alive. Whether it has its place still is for Redis to judge, and not for the clock. */
  keep(lease: Lease): void {
    lease.renewed = true
    lease.confirm(performance.now(), Infinity)
    this.#service.track(lease)
  }

  /** Tells it no more. */
  drop(lease: Lease): void {
    this.#service.untrack(lease)
  }

  /** Notes that a claim has been made, which may have put it into a queue. */
  asks<T>(claim: AcquireRequest, answer: Promise<T>): Promise<T> {
    this.#asked.set(claim, answer)
    return answer
  }

  /** Sees a claim through: a waiter that goes without the lock tells Redis so. */
  runAsWaiter(claim: AcquireRequest, visit: Visit): Promise<AcquireResult | undefined> {
    return this.#track(this.#visit(claim, visit))
  }

  /** Waits until each waiter has removed its place in Redis, but no longer than that number of milliseconds. */
  async close(withinMs: number): Promise<void> {
    const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => {
      giveUp('late')
    }, timerDelay(withinMs))
    while (this.#visits.size > 0)
      if ((await Promise.race([Promise.allSettled(this.#visits), late])) === 'late') break
    clearTimeout(timer)
    this.#service.close()
  }

  async #visit(claim: AcquireRequest, visit: Visit): Promise<AcquireResult | undefined> {
    claim.signal?.throwIfAborted()
    let won: AcquireResult | undefined
    try {
      won = await this.#asOneCall(claim, visit)
      return won
    } finally {
      if (won === undefined) claim.leaving = this.#track(this.#leave(claim, visit)) // its caller does not wait for that: its time is over
    }
  }

  async #asOneCall(
    claim: AcquireRequest,
    { place, attempt, wait }: Visit,
  ): Promise<AcquireResult | undefined> {
    const caller = callerOf(place, claim)
    this.#calls.set(caller, (this.#calls.get(caller) ?? 0) + 1)
    try {
      const first = await attempt?.()
      if (first?.done === true) return first.value
      return first !== undefined && claim.deadline.passed ? undefined : await wait()
    } finally {
      const others = (this.#calls.get(caller) ?? 0) - 1
      if (others > 0) this.#calls.set(caller, others)
      else this.#calls.delete(caller)
    }
  }

  /**
   * Leaves after the last request, of which a copy may still be under way. Where another call waits as the same owner, it keeps the place, and
   * finds out whether it is its turn.
   *
   * Where Redis cannot be reached now, it drops the waiter when its heartbeats have been missing for a while.
   */
  async #leave(claim: AcquireRequest, { place, leave }: Visit): Promise<void> {
    await this.#asked.get(claim)?.catch(() => undefined)
    if (this.#calls.has(callerOf(place, claim))) void this.#service.renewNow(place, claim.owner)
    else await leave().catch(() => undefined)
  }

  async #track<T>(visit: Promise<T>): Promise<T> {
    this.#visits.add(visit)
    try {
      return await visit
    } finally {
      this.#visits.delete(visit)
    }
  }
}

function callerOf(place: string, { owner }: AcquireRequest): string {
  return `${owner} ${place}`
}
