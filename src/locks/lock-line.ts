import type { ObjectContext } from '../core/object-context.js'
import type { Seat } from '../pubsub/seat.js'
import { waitUntil, type Attempt } from '../pubsub/wait-until.js'
import { Sleeper } from '../util/sleeper.js'
import type { Claim, Won } from './lock-protocol.js'

/** A process hands the lock on inside itself at least this often, if it has so many waiters, before others have a chance. */
const SHORTEST_ROUND = 16

/** A process hands the lock on inside itself no longer than this, in milliseconds, before others have a chance. */
const LONGEST_ROUND_MS = 100

/** How long a process then keeps away from the lock, in milliseconds, so that a waiter elsewhere can come and take it. */
const COURTESY_MS = 5

/** A message on the lock's channel wakes one of those who wait. */
const wakeOne = (message: string): number => (message === '0' ? 1 : 0)

/** Someone in the line. */
interface Place {
  readonly claim: Claim
  /** Wakes when it is the first. */
  readonly turn: Sleeper
  /** Where the first one listens. */
  seat: Seat | undefined
  /** Whether a request of its own is under way. */
  asking: boolean
  /** Whether the holder is about to leave it the lock. */
  inheriting: boolean
  inherited: Won | undefined
  /** Known to be in vain for so long, in milliseconds. */
  retryInMs: number | undefined
}

/** The first of a line, to whom the holder may leave the lock. */
export interface Heir {
  readonly owner: string
  readonly leaseMs: number
  /** The lock is the heir's. Answers false if nobody waits for it any more. */
  inherit(sentAt: number): boolean
  /** It did not come to that, or nobody knows. */
  disinherit(): void
}

/**
 * Those in this process who wait for one lock, first come, first served.
 *
 * Only the first of them asks Redis, so that fifty waiters are one to the server. A holder of this process leaves the
 * lock to the first in line with the request that gives it back. So that no process keeps a lock from the others, it does
 * so for one round: for those who were in line when it got the lock, and not for too long. Then it frees the lock for
 * everybody, and keeps away for a moment.
 */
export class LockLine {
  readonly #context: ObjectContext
  readonly #channel: string
  readonly #places: Place[] = []
  #turnsLeft = SHORTEST_ROUND
  #roundEndsAt = performance.now() + LONGEST_ROUND_MS
  #keepAwayUntil = 0

  constructor(context: ObjectContext, channel: string) {
    this.#context = context
    this.#channel = channel
  }

  get isEmpty(): boolean {
    return this.#places.length === 0
  }

  /** Waits in line, then for the lock. */
  async wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const place = this.#join(claim)
    let won: Won | undefined
    try {
      won = await this.#contend(place, attempt)
    } catch (error) {
      if (place.inherited === undefined) throw error // what was left to us at the last moment is ours
    } finally {
      won ??= place.inherited
      this.#leave(place, won === undefined ? undefined : claim.leaseMs)
    }
    return won
  }

  /** Whom the holder may leave the lock to; undefined if nobody is ready, or it is the turn of other processes. */
  heir(): Heir | undefined {
    const [first] = this.#places
    if (first === undefined || this.#roundIsOver || !isReady(first)) return undefined
    this.#turnsLeft -= 1
    first.inheriting = true
    return {
      owner: first.claim.owner,
      leaseMs: first.claim.leaseMs,
      inherit: (sentAt) => this.#inherit(first, { sentAt, holds: 1 }),
      disinherit: () => {
        first.inheriting = false
        first.seat?.wake()
      },
    }
  }

  /** The lock was freed for everybody, and so many clients have heard it. */
  freed(heard: number): void {
    const [first] = this.#places
    if (first === undefined || !this.#roundIsOver) return
    const elsewhere = heard - (first.seat?.confirmed === true ? 1 : 0)
    if (elsewhere > 0 || !this.#context.servers.countsAllListeners)
      this.#keepAwayUntil = performance.now() + COURTESY_MS
    first.seat?.wake()
  }

  #join(claim: Claim): Place {
    const place: Place = {
      claim,
      turn: new Sleeper(),
      seat: undefined,
      asking: false,
      inheriting: false,
      inherited: undefined,
      retryInMs: undefined,
    }
    this.#places.push(place)
    if (this.#places[0] === place) this.#promote(place)
    return place
  }

  async #contend(place: Place, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const { deadline, signal } = place.claim
    if (!(await place.turn.sleep(deadline.within(Infinity), signal)) || place.seat === undefined)
      return undefined
    return await waitUntil(place.seat, {
      attempt: () => this.#try(place, attempt),
      deadline,
      signal,
      subscriptionTimeoutMs: this.#context.config.subscriptionTimeoutMs,
      retryInMs: place.retryInMs,
    })
  }

  async #try(place: Place, attempt: () => Promise<Attempt<Won>>): Promise<Attempt<Won>> {
    if (place.inherited !== undefined) return { done: true, value: place.inherited }
    if (place.inheriting) return { done: false, retryInMs: Infinity } // woken as soon as that is decided
    const awayMs = this.#keepAwayUntil - performance.now()
    if (awayMs > 0) return { done: false, retryInMs: awayMs }
    place.asking = true
    try {
      const next = await attempt()
      if (next.done) this.#beginRound()
      return next
    } finally {
      place.asking = false
    }
  }

  #inherit(place: Place, won: Won): boolean {
    if (!this.#places.includes(place)) return false
    place.inherited = won
    place.seat?.wake()
    return true
  }

  /** The next one sits down before this one gets up, so that the channel stays subscribed and no message is missed. */
  #leave(place: Place, takenForMs: number | undefined): void {
    const wasFirst = this.#places[0] === place
    this.#places.splice(this.#places.indexOf(place), 1)
    const [next] = this.#places
    if (wasFirst && next !== undefined) this.#promote(next, takenForMs)
    place.seat?.leave()
  }

  #promote(place: Place, retryInMs?: number): void {
    place.retryInMs = retryInMs
    try {
      place.seat = this.#context.wakeUps.sit(this.#channel, wakeOne)
      place.turn.wake()
    } catch (error) {
      place.turn.dismiss(error as Error) // the client is being shut down
    }
  }

  get #roundIsOver(): boolean {
    return this.#turnsLeft <= 0 || performance.now() >= this.#roundEndsAt
  }

  #beginRound(): void {
    this.#turnsLeft = Math.max(SHORTEST_ROUND, this.#places.length - 1)
    this.#roundEndsAt = performance.now() + LONGEST_ROUND_MS
  }
}

/** Only a thread of our own can inherit: its count is known to become one, however often the request arrives. */
function isReady({ claim, asking, inheriting, seat }: Place): boolean {
  const gone = claim.signal?.aborted === true || claim.deadline.passed
  return claim.holds === 1 && !asking && !inheriting && seat !== undefined && !gone
}
