import type { LockLossReason } from '../../errors/lock-errors.js'
import type { Lease, LeaseHolder } from '../../renewal/lease.js'
import type { Layout } from './layout.js'
import { noTime } from './no-time.js'
import type { ServerClock } from './server-clock.js'

/** A number that Redis has given, with the window of time of its ids. */
export interface TakenNumber {
  readonly node: number
  readonly token: string
  /** The first millisecond of the window, and the last. */
  readonly from: number
  readonly until: number
  /** What the server's clock showed. */
  readonly serverMs: number
  /** When the request was sent, on the monotonic clock. */
  readonly sentAt: number
}

/** What a number is held by. */
interface NodeNumberDeps {
  /** The name of the snowflake, as the program gave it. */
  readonly object: string
  readonly layout: Layout
  readonly leaseOf: (holder: NodeNumber) => Lease
  readonly leaseMs: number
  readonly onLost: (reason: LockLossReason) => void
  /** The time of all ids of this client. */
  readonly clock: ServerClock
}

/**
 * A node number that this client has, and its ids.
 *
 * Two things limit them. The window is what keeps ids apart: it was granted by Redis before, overlaps no other window of the same number, and is
 * not exceeded however long this process stands still between two lines. The lease ends on the monotonic clock, counted from before the request was sent: from then on
 * another client may have the number, and none of its ids is handed out.
 */
export class NodeNumber implements LeaseHolder {
  readonly node: number
  readonly token: string
  readonly lease: Lease
  /** A shutdown does not wait for it, because no program releases it. It is given back when the client closes. */
  readonly handedOn = true
  readonly #object: string
  readonly #layout: Layout
  readonly #clock: ServerClock
  readonly #onLost: (reason: LockLossReason) => void
  #until: number
  /** The millisecond of the last id; before there is one, that before the window, which counts as used up. */
  #usedMs: number
  /** How many ids of that millisecond are used. */
  #used: number
  /** The first id of that millisecond. */
  #base = 0n
  #isOver = false

  constructor(taken: TakenNumber, { object, layout, leaseOf, leaseMs, onLost, clock }: NodeNumberDeps) {
    this.node = taken.node
    this.token = taken.token
    this.#object = object
    this.#layout = layout
    this.#clock = clock
    this.#onLost = onLost
    this.#until = taken.until
    this.#usedMs = taken.from - 1
    this.#used = layout.idsPerMs
    this.lease = leaseOf(this)
    this.lease.renewed = true
    this.lease.confirm(taken.sentAt, leaseMs)
  }

  /** Whether ids may be handed out. Looks at the clock, because a timer is late where the process stood still. */
  get isHeld(): boolean {
    if (!this.#isOver && this.lease.expired) this.onLeaseLost('expired')
    return !this.#isOver
  }

  /** The millisecond after which the next holder of the number may begin. */
  get usedMs(): number {
    return this.#usedMs
  }

  /** The time of its ids, in whole milliseconds. */
  get now(): number {
    return Math.floor(this.#clock.at(performance.now()))
  }

  onLeaseLost(reason: LockLossReason): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onLost(reason)
  }

  /** It is given back: none of its ids is handed out from now on. */
  end(): void {
    this.#isOver = true
  }

  /** Redis has extended the window. */
  extend(until: number, serverMs: number): void {
    this.#clock.learn(serverMs, performance.now())
    this.#until = Math.max(this.#until, until)
  }

  /** Returns as many of its ids as there are at this moment, up to that number. */
  take(count: number): bigint[] {
    if (!this.#moveOn()) return []
    const ids: bigint[] = []
    const end = Math.min(this.#used + count, this.#layout.idsPerMs)
    while (this.#used < end) ids.push(this.#base + BigInt(this.#used++))
    return ids
  }

  /** In how many milliseconds it has ids again. */
  get pauseMs(): number {
    const nextMs = this.#used < this.#layout.idsPerMs ? this.#usedMs : this.#usedMs + 1
    return Math.max(0, nextMs - this.#clock.at(performance.now()))
  }

  /** Whether the millisecond of the next id is within the window, and there. */
  #moveOn(): boolean {
    if (!this.isHeld) return false
    const { now } = this
    if (now <= this.#usedMs) return true
    if (now > this.#until) {
      this.onLeaseLost('expired')
      return false
    }
    if (now > this.#layout.lastMs) throw noTime(this.#object, this.#layout)
    this.#base = this.#layout.firstId(now, this.node)
    this.#usedMs = now
    this.#used = 0
    return true
  }
}
