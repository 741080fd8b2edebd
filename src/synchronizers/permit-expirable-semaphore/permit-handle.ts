import type { PermitHold } from './permit-expirable-semaphore.api.js'
import { extensionOf } from '../../core/arguments/arguments.js'
import type { WatchedHold } from '../../core/holds/hold-watch.js'
import { refusalOf } from '../../core/context/late-release.js'
import { Loss } from '../../core/holds/loss.js'
import type { LockContext } from '../../core/context/object-context.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import { falseUnlessClosed } from '../../errors/false-unless-closed.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { PermitLostError, PermitNotHeldError } from '../../errors/synchronizer-errors.js'
import { safeUntil, type Lease, type LeaseHolder } from '../../renewal/lease.js'
import type { RenewalService } from '../../renewal/renewal-service.js'
import { afterReading } from '../../util/time/after-reading.js'
import { Deadline } from '../../util/time/deadline.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { showOnly } from '../../util/show-only.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** The permits that a client watches, by their ids. */
export type HeldPermits = Map<string, HeldPermit>

interface PermitOptions {
  /** The name of the semaphore, as the program gave it. */
  readonly semaphore: string
  readonly id: string
  /** Makes the lease of the permit. */
  readonly leaseOf: (holder: LeaseHolder) => Lease
  /** When the request was sent that took the permit, on the monotonic clock. */
  readonly sentAt: number
  /** For how long it was taken, in milliseconds; undefined where the watchdog renews it. */
  readonly leaseMs: number | undefined
  /** How long a lease lasts that the watchdog renews, in milliseconds. */
  readonly watchdogMs: number
  readonly renewal: RenewalService
  readonly context: Pick<LockContext, 'config' | 'events' | 'closing'>
  /** All permits of the client, including this one. */
  readonly held: HeldPermits
  /** Reports the permit if it is forgotten. */
  readonly watched?: WatchedHold | undefined
  /**
   * Gives the permit back; returns whether it was lent. No renewal is sent after this was called.
   *
   * @param insistMs - for how long to go on trying, in the background, when Redis cannot be reached
   */
  readonly giveBack: (insistMs: number) => Promise<boolean>
}

/** A permit that this process watches until it is released or lost. */
export class HeldPermit {
  readonly id: string
  readonly lease: Lease
  readonly #facts: PermitOptions
  #isReleased = false
  readonly #loss = new Loss<PermitLostError>()
  /** How many requests may have extended it in Redis beyond its lease, because their replies did not come in time. */
  #outlasting = 0
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(facts: PermitOptions) {
    this.id = facts.id
    this.#facts = facts
    this.lease = facts.leaseOf({
      onLeaseLost: (reason) => {
        this.#lose(reason)
      },
      giveBack: () => this.#releaseInRedis(),
    })
    this.lease.renewed = facts.leaseMs === undefined
    this.lease.confirm(facts.sentAt, facts.leaseMs ?? facts.watchdogMs)
    facts.held.set(this.id, this)
    facts.renewal.track(this.lease)
    facts.watched?.start({
      what: `Permit of semaphore ${facts.semaphore}`,
      owner: facts.id,
      isRenewed: () => this.lease.renewed,
    })
  }

  /** The signal of the client. */
  get client(): AbortSignal {
    return this.#facts.context.closing
  }

  get semaphore(): string {
    return this.#facts.semaphore
  }

  /** Why it was lost, if it was. */
  get lost(): PermitLostError | undefined {
    if (!this.#isReleased && this.lease.expired) this.#lose('expired')
    return this.#loss.error
  }

  get isGivenBack(): boolean {
    return this.#isReleased
  }

  get isHeld(): boolean {
    return !this.#isReleased && this.lost === undefined
  }

  /** Aborts when the permit is lost. */
  get signal(): AbortSignal {
    return this.#loss.signal(() => this.lost)
  }

  async extend(leaseMs?: number): Promise<void> {
    const asked = extensionOf(leaseMs, this.#facts.semaphore)
    const lasting = asked ?? this.#facts.watchdogMs
    if (this.#facts.renewal.isBehind) await afterReading()
    await this.#inTurn(async () => {
      this.#demandHeld()
      const sentAt = performance.now()
      this.#outlasting += 1
      const [held] = await this.lease.kind.renew([this.lease], lasting, Deadline.never)
      if (held === true) this.lease.confirm(sentAt, lasting)
      else this.#lose('not-held')
      this.#demandHeld()
      this.#outlasting -= 1
      if (asked === undefined) this.lease.renewed = true
      this.#facts.renewal.track(this.lease)
    })
  }

  /**
   * Follows a request that sets the end of the lease, in milliseconds from now. Returns whether the permit is lent, as the request does.
   *
   * Nothing is renewed any more from then on. A shorter lease counts as soon as it is asked for, because Redis may have run the
   * request at any moment since, with or without a reply.
   */
  async relet(leaseMs: number, ask: () => Promise<boolean>): Promise<boolean> {
    return await this.#inTurn(async () => {
      const { renewed } = this.lease
      await this.#stopRenewal()
      const sentAt = performance.now()
      if (safeUntil(sentAt, leaseMs) < this.lease.expiresAt) this.#begin(sentAt, leaseMs)
      let lent: boolean
      try {
        lent = await ask()
      } catch (error) {
        this.lease.renewed = renewed
        if (this.isHeld) this.#facts.renewal.track(this.lease) // its turn may have gone by meanwhile
        throw error
      }
      if (lent) this.#begin(sentAt, leaseMs)
      else this.#lose('not-held')
      return lent
    })
  }

  /** What was lost by this process's clock may still be lent, so Redis is asked in any case. Without its reply the loss is known as well. */
  async release(): Promise<void> {
    if (this.#facts.renewal.isBehind) await afterReading()
    const { lost } = this
    if (this.#isReleased) throw this.#notHeld(lost)
    this.#isReleased = true
    this.#stopWatching()
    const releasing = this.#releaseInRedis()
    const isLent = await (lost === undefined ? releasing : releasing.catch(falseUnlessClosed))
    if (!isLent || lost !== undefined) throw this.#notHeld(lost)
  }

  /**
   * Gives the permit back at the end of its function or block, unless that has been done, and waits for that only so long; without a time,
   * as long as the client says.
   *
   * @returns the loss, if it was lost before, even if that is found out only now
   */
  async end(waitMs?: number): Promise<PermitLostError | undefined> {
    if (this.#facts.renewal.isBehind) await afterReading()
    const { semaphore: name, context } = this.#facts
    const { id, lost, lease } = this
    if (this.#isReleased) return lost
    const release = await outcomeWithin(this.release(), waitMs ?? context.config.releaseWaitMs)
    if (lost !== undefined) return lost
    const refusal = refusalOf(context, { kind: lease.kind.name, key: lease.name, name, owner: id }, release)
    if (refusal !== undefined && !isRedissonError(refusal, 'PERMIT_NOT_HELD')) throw refusal
    if (refusal === undefined || lease.expired) return undefined // it has ended since, by itself
    const reason = 'not-held'
    return new PermitLostError({ semaphore: name, id, ...lease.endBy(reason), reason })
  }

  /** Returns the hold of the program. Nothing here may refer to it, so that it can be seen when the program has forgotten it. */
  handle(): PermitHandle {
    const handle = new PermitHandle(this)
    this.#facts.watched?.follow(handle)
    return handle
  }

  #lose(reason: LockLossReason): void {
    if (this.#loss.error !== undefined || this.#isReleased) return
    const { semaphore } = this.#facts
    const why = reason === 'forced' ? 'not-held' : reason
    this.#loss.note(new PermitLostError({ semaphore, id: this.id, ...this.lease.endBy(reason), reason: why }))
    this.#stopWatching()
    if (reason === 'expired' && this.#outlasting > 0) this.#endInRedis()
    this.#loss.abort()
  }

  /** Releases in Redis what has ended here, after the request that may have prolonged it. */
  #endInRedis(): void {
    withoutAsyncContext(() => this.#inTurn(() => this.#releaseInRedis())).catch(() => undefined) // it goes on trying by itself
  }

  /** Stops watching the permit. */
  #stopWatching(): void {
    this.#facts.held.delete(this.id)
    this.#facts.renewal.untrack(this.lease)
    this.#facts.watched?.stop()
  }

  /** Until its lease has ended in Redis, which may have been renewed later than this process knows. */
  #releaseInRedis(): Promise<boolean> {
    const leftMs = Math.ceil(this.lease.expiresAt - performance.now())
    return this.#facts.giveBack(Math.max(leftMs, this.#facts.watchdogMs))
  }

  /** A renewal that is sent after another request about the lease, or sent again, would have the last word. */
  async #stopRenewal(): Promise<void> {
    this.lease.renewed = false
    await this.#facts.renewal.quiet(this.lease)
  }

  #demandHeld(): void {
    if (this.lost !== undefined) throw this.lost
    if (this.#isReleased) throw this.#notHeld()
  }

  #notHeld(cause?: PermitLostError): PermitNotHeldError {
    return new PermitNotHeldError(this.#facts.semaphore, [this.id], cause && { cause })
  }

  #begin(sentAt: number, leaseMs: number): void {
    this.lease.begin(sentAt, leaseMs)
    if (this.isHeld) this.#facts.renewal.track(this.lease)
  }

  /** Runs requests about the lease one after the other, so that the last one to run in Redis is the last one to be believed. */
  #inTurn<T>(request: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(request)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }
}

/** A permit as its holder sees it. */
export class PermitHandle implements PermitHold {
  static {
    showOnly(this, 'PermitHold', (hold) => ({
      semaphore: hold.#permit.semaphore,
      id: hold.id,
      isHeld: hold.isHeld,
    }))
    refuseSurplus(this, {
      release: 'it gives back the permit of this hold, and no other',
    })
  }

  readonly #permit: HeldPermit

  constructor(permit: HeldPermit) {
    this.#permit = permit
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#permit.client]
  }

  get id(): string {
    return this.#permit.id
  }

  get isHeld(): boolean {
    return this.#permit.isHeld
  }

  get signal(): AbortSignal {
    return this.#permit.signal
  }

  async extend(leaseMs?: number): Promise<void> {
    await this.#permit.extend(leaseMs)
  }

  async release(): Promise<void> {
    await this.#permit.release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#permit.isGivenBack) await this.#permit.end()
  }
}
