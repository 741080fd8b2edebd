import type { LockLossReason } from '../errors/lock-errors.js'
import type { Deadline } from '../util/deadline.js'

/** Clocks of two machines run apart by less than this share of a lease. */
const CLOCK_DRIFT = 0.01

/** What Redis and the operating system may round off, in milliseconds. */
const ROUNDING_MS = 2

/** A way to renew leases. Every family of locks brings its own. */
export interface RenewalKind {
  readonly name: string
  /** Extends leases of one slot in one round trip; answers, in order, which are still held. */
  renew(leases: readonly Lease[], leaseMs: number, deadline: Deadline): Promise<readonly boolean[]>
}

/** Until when, on the monotonic clock, a lease surely lasts that was asked for at `sentAt`. */
export function safeUntil(sentAt: number, leaseMs: number): number {
  return sentAt + leaseMs * (1 - CLOCK_DRIFT) - ROUNDING_MS
}

/** Who has a lease, and is told when it is lost. */
export interface LeaseHolder {
  onLeaseLost(reason: LockLossReason): void
}

interface LeaseFacts {
  readonly kind: RenewalKind
  readonly name: string
  readonly owner: string
  readonly slot: number
}

/** How long this process may believe that it holds something in Redis. */
export class Lease {
  readonly kind: RenewalKind
  readonly name: string
  readonly owner: string
  readonly slot: number
  /** Whether the watchdog keeps it alive. */
  renewed = false
  readonly #holder: LeaseHolder
  #expiresAt = -Infinity

  constructor({ kind, name, owner, slot }: LeaseFacts, holder: LeaseHolder) {
    this.kind = kind
    this.name = name
    this.owner = owner
    this.slot = slot
    this.#holder = holder
  }

  /** The moment on the monotonic clock from which on Redis may have let go. */
  get expiresAt(): number {
    return this.#expiresAt
  }

  get expired(): boolean {
    return performance.now() >= this.#expiresAt
  }

  /**
   * Redis has confirmed a lease in answer to a request that was sent at `sentAt`.
   *
   * It began no earlier than that, and so ends no earlier than what is reckoned here. A shorter lease takes nothing away.
   */
  confirm(sentAt: number, leaseMs: number): void {
    this.#expiresAt = Math.max(this.#expiresAt, safeUntil(sentAt, leaseMs))
  }

  /** Redis has begun the lease anew, and what was confirmed before does not count any more. */
  begin(sentAt: number, leaseMs: number): void {
    this.#expiresAt = safeUntil(sentAt, leaseMs)
  }

  lose(reason: LockLossReason): void {
    this.#holder.onLeaseLost(reason)
  }
}
