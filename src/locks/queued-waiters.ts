import type { Attempt } from '../pubsub/wait-until.js'
import type { Lease } from '../renewal/lease.js'
import { RenewalService } from '../renewal/renewal-service.js'
import { timerDelay } from '../util/timers.js'
import type { Claim, Won } from './lock-protocol.js'

interface Visit {
  readonly attempt: () => Promise<Attempt<Won>>
  /** Waits, after a first attempt in vain. */
  readonly wait: () => Promise<Won | undefined>
  /** Tells Redis that the waiter has gone. */
  readonly leave: () => Promise<unknown>
}

/** Those of this client who wait where Redis knows of them, and has to be told that they live, and that they have gone. */
export class QueuedWaiters {
  readonly #service: RenewalService
  readonly #visits = new Set<Promise<unknown>>()
  /** The last request of everybody who waits. */
  readonly #asked = new WeakMap<Claim, Promise<unknown>>()

  constructor(settings: ConstructorParameters<typeof RenewalService>[0]) {
    this.#service = new RenewalService(settings)
  }

  /** Tells Redis again and again that a waiter is alive. */
  keep(lease: Lease): void {
    this.#service.keep(lease)
  }

  /** Tells it no more. */
  drop(lease: Lease): void {
    this.#service.drop(lease)
  }

  /** Notes that a claim has been made, which may have put it into a queue. */
  asks<T>(claim: Claim, answer: Promise<T>): Promise<T> {
    this.#asked.set(claim, answer)
    return answer
  }

  /** Sees a claim through: whoever goes without what it came for tells Redis so. */
  visit(claim: Claim, visit: Visit): Promise<Won | undefined> {
    return this.#track(this.#visit(claim, visit))
  }

  /** Waits until everybody has told Redis that it has gone, but no longer than so many milliseconds. */
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

  async #visit(claim: Claim, { attempt, wait, leave }: Visit): Promise<Won | undefined> {
    claim.signal?.throwIfAborted()
    try {
      const first = await attempt()
      if (first.done) return first.value
      const won = claim.deadline.passed ? undefined : await wait()
      if (won === undefined) await this.#leave(claim, leave)
      return won
    } catch (error) {
      void this.#track(this.#leave(claim, leave)) // whoever has given up does not wait for that
      throw error
    }
  }

  /**
   * Leaves after the last request, of which a copy may still be under way.
   *
   * What Redis cannot be told now, it finds out when the waiter has not said for a while that it is alive.
   */
  async #leave(claim: Claim, leave: () => Promise<unknown>): Promise<void> {
    await this.#asked.get(claim)?.catch(() => undefined)
    await leave().catch(() => undefined)
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
