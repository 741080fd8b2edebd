import type { LockLossReason } from '../errors/lock-errors.js'
import type { Deadline } from '../util/time/deadline.js'

/** Clocks of two machines run apart by less than this share of a lease. */
const CLOCK_DRIFT = 0.01

/** What Redis and the operating system may round off, in milliseconds. */
const ROUNDING_MS = 2

/** A way to renew leases. Every family of locks brings its own. */
export interface RenewalKind {
  readonly name: string
  /** Whether it can extend one lease alone while the keys of its slot are on their way from one node to another. */
  readonly divisible?: boolean
  /** Extends leases of one slot in one round trip; returns, in order, which are still held. */
  renew(leases: readonly Lease[], leaseMs: number, deadline: Deadline): Promise<readonly boolean[]>
}

/** Until when, on the monotonic clock, a lease surely lasts that was asked for at `sentAt`. */
export function safeUntil(sentAt: number, leaseMs: number): number {
  return sentAt + leaseMs * (1 - CLOCK_DRIFT) - ROUNDING_MS
}

/** How a lease ended. */
export interface LeaseEnd {
  readonly reason: LockLossReason
  /** How long it was, in milliseconds, if that was its whole time; absent where it ended before, or was to be renewed. */
  readonly leaseMs?: number
}

/** The holder of a lease, which is notified when it is lost. */
export interface LeaseHolder {
  onLeaseLost(reason: LockLossReason): void
  /** Calls a holder that waits, which then asks Redis. Absent where there is nothing to wait for. */
  call?(): void
  /** Releases in Redis what was taken. Absent where that makes no sense. */
  giveBack?(): Promise<unknown>
  /** Whether another process may look after it by now, and release it. */
  readonly handedOn?: boolean
}

interface LeaseOptions {
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
  /** How long the lease was asked to last that ends then, in milliseconds. */
  #leaseMs = 0
  /** When the request was sent that began it anew. */
  #begunAt = -Infinity

  #lostBy: LockLossReason | undefined

  constructor({ kind, name, owner, slot }: LeaseOptions, holder: LeaseHolder) {
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
   * Redis has confirmed a lease in reply to a request that was sent at `sentAt`.
   *
   * It began no earlier than that, and so ends no earlier than what is reckoned here. A shorter lease takes nothing away. What
   * was asked for before the lease began anew does not count, however late its reply arrives.
   */
  confirm(sentAt: number, leaseMs: number): void {
    if (sentAt >= this.#begunAt && safeUntil(sentAt, leaseMs) > this.#expiresAt) this.#last(sentAt, leaseMs)
  }

  /** Redis has begun the lease anew, and what was confirmed before does not count any more. */
  begin(sentAt: number, leaseMs: number): void {
    this.#begunAt = sentAt
    this.#last(sentAt, leaseMs)
  }

  /** What to say of its end. A lease that was not to be renewed is over in time, even if Redis is the first to say so. */
  endBy(reason: LockLossReason): LeaseEnd {
    this.#lostBy ??= reason
    const isOver = reason === 'expired' || (reason === 'not-held' && this.expired)
    return isOver && !this.renewed ? { reason, leaseMs: this.#leaseMs } : { reason }
  }

  /** Why it was lost; undefined if it was not. */
  get lostBy(): LockLossReason | undefined {
    return this.#lostBy
  }

  /** Whether another process may look after it by now, and release it. */
  get handedOn(): boolean {
    return this.#holder.handedOn === true
  }

  lose(reason: LockLossReason): void {
    this.#holder.onLeaseLost(reason)
  }

  /** It is the turn of the holder, which waits. */
  call(): void {
    this.#holder.call?.()
  }

  /** Releases in Redis what was taken. */
  async giveBack(): Promise<void> {
    await this.#holder.giveBack?.()
  }

  #last(sentAt: number, leaseMs: number): void {
    this.#expiresAt = safeUntil(sentAt, leaseMs)
    this.#leaseMs = leaseMs
  }
}

const NEVER_RENEWED: RenewalKind = { name: 'endless', renew: () => Promise.resolve([]) }

/** A lease that never ends and is never renewed: for what has no end in Redis, or has one that needs no renewal. */
export function endlessLease(holder: LeaseHolder): Lease {
  const lease = new Lease({ kind: NEVER_RENEWED, name: '', owner: '', slot: 0 }, holder)
  lease.confirm(performance.now(), Infinity)
  return lease
}
