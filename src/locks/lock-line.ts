import type { ObjectContext } from '../core/object-context.js'
import { Place, WaitingLine } from '../core/waiting-line.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { WakesOf } from '../pubsub/wake-ups.js'
import type { Claim, Won } from './lock-protocol.js'

/** A process hands the lock on inside itself at least this often, if it has so many waiters, before others have a chance. */
const SHORTEST_ROUND = 32

/** A process hands the lock on inside itself no longer than this, in milliseconds, before others have a chance. */
const LONGEST_ROUND_MS = 100

/** How long a process then holds back for each of the others when the lock is free, in milliseconds, so that they can take it. */
const COURTESY_MS = 2

/** How long it holds back at most, in milliseconds: the others may have lost interest. */
const LONGEST_COURTESY_MS = 6

/** A message on the lock's channel wakes one of those who wait. */
const wakeOne = (message: string): number => (message === '0' ? 1 : 0)

/** Someone who waits for a lock. */
class LockPlace extends Place {
  readonly claim: Claim
  /** Whether a request of its own is under way. */
  asking = false
  /** Whether the holder is about to leave it the lock. */
  inheriting = false
  inherited: Won | undefined

  constructor(claim: Claim) {
    super()
    this.claim = claim
  }

  /**
   * Only a thread of our own can inherit: its count is known to become one, however often the request arrives. Whoever wants
   * replicas to confirm has to ask for itself.
   */
  get canInherit(): boolean {
    const { holds, signal, deadline, confirmed } = this.claim
    if (holds !== 1 || confirmed || signal?.aborted === true || deadline.passed) return false
    return this.seat !== undefined && !this.asking && !this.inheriting
  }
}

/** The first of a line, to whom the holder may leave the lock. */
export interface Heir {
  readonly owner: string
  readonly leaseMs: number
  /** The lock is the heir's. Answers false if nobody waits for it any more. */
  inherit(won: Won): boolean
  /** It did not come to that, or nobody knows. */
  disinherit(): void
}

/**
 * Those in this process who wait for one lock, first come, first served.
 *
 * A holder of this process leaves the lock to the first in line with the request that gives it back. So that no process keeps
 * a lock from the others, it does so for one round: for those who were in line when it got the lock, and not for too long.
 * Then it frees the lock for everybody, and holds back until each of the processes that were waiting has had its round, so that
 * they take turns without having to know of each other.
 */
export class LockLine {
  readonly #context: ObjectContext
  readonly #line: WaitingLine<LockPlace>
  #turnsLeft = SHORTEST_ROUND
  #roundEndsAt = performance.now() + LONGEST_ROUND_MS
  /** How many other processes go first, because they have waited for longer. */
  #othersFirst = 0
  /** Until when to hold back for them; undefined if that begins with the next news. */
  #keepAwayUntil: number | undefined

  constructor(context: ObjectContext, channel: string, wakesOf: WakesOf = wakeOne) {
    this.#context = context
    this.#line = new WaitingLine(context, channel, wakesOf)
  }

  get isEmpty(): boolean {
    return this.#line.isEmpty
  }

  /** Waits in line, then for the lock. */
  async wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const place = new LockPlace(claim)
    const { deadline, signal, leaseMs } = claim
    try {
      const won = await this.#line.wait(place, {
        deadline,
        signal,
        attempt: () => this.#try(place, attempt),
        retryNextInMs: () => leaseMs,
      })
      return won ?? place.inherited
    } catch (error) {
      if (place.inherited === undefined) throw error // what was left to it at the last moment is its own
      return place.inherited
    }
  }

  /** Has the first in line look again. */
  wake(): void {
    this.#line.first?.seat?.wake()
  }

  /** Whom the holder may leave the lock to; undefined if nobody is ready, or it is the turn of other processes. */
  heir(): Heir | undefined {
    const { first } = this.#line
    if (first?.canInherit !== true || this.#roundIsOver) return undefined
    this.#turnsLeft -= 1
    first.inheriting = true
    return {
      owner: first.claim.owner,
      leaseMs: first.claim.leaseMs,
      inherit: (won) => this.#inherit(first, won),
      disinherit: () => {
        first.inheriting = false
        first.seat?.wake()
      },
    }
  }

  /** The lock was freed for everybody, and so many clients have heard it. */
  freed(heard: number): void {
    const { first } = this.#line
    if (first === undefined || !this.#roundIsOver) return
    const elsewhere = heard - (first.seat?.confirmed === true ? 1 : 0)
    this.#othersFirst = this.#context.servers.countsAllListeners ? elsewhere : Math.max(elsewhere, 1)
    this.#keepAwayUntil = undefined
    first.seat?.wake()
  }

  async #try(place: LockPlace, attempt: () => Promise<Attempt<Won>>): Promise<Attempt<Won>> {
    if (place.inherited !== undefined) return { done: true, value: place.inherited }
    if (place.inheriting) return { done: false, retryInMs: Infinity } // woken as soon as that is decided
    const awayMs = this.#awayMs()
    if (awayMs > 0) return { done: false, retryInMs: awayMs }
    place.asking = true
    try {
      const next = await attempt()
      if (next.done) this.#beginRound()
      else this.#letOneGoFirst()
      return next
    } finally {
      place.asking = false
    }
  }

  #inherit(place: LockPlace, won: Won): boolean {
    if (!this.#line.includes(place)) return false
    place.inherited = won
    place.seat?.wake()
    return true
  }

  get #roundIsOver(): boolean {
    return this.#turnsLeft <= 0 || performance.now() >= this.#roundEndsAt
  }

  /** For how long to leave the lock to others; begins with the news that it is free. */
  #awayMs(): number {
    const now = performance.now()
    this.#keepAwayUntil ??= now + Math.min(this.#othersFirst * COURTESY_MS, LONGEST_COURTESY_MS)
    return this.#keepAwayUntil - now
  }

  /** One of the others has got the lock. */
  #letOneGoFirst(): void {
    this.#othersFirst = Math.max(0, this.#othersFirst - 1)
    this.#keepAwayUntil = undefined
  }

  #beginRound(): void {
    this.#othersFirst = 0
    this.#turnsLeft = Math.max(SHORTEST_ROUND, this.#line.length - 1)
    this.#roundEndsAt = performance.now() + LONGEST_ROUND_MS
  }
}
