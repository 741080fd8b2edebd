import { Lease, type LeaseHolder, type RenewalKind } from '../../renewal/lease.js'
import type { RenewalService } from '../../renewal/renewal-service.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** What a tenure is kept by. */
export interface TenureDeps {
  readonly renewal: RenewalService
  readonly kind: RenewalKind
  /** The key that says until when subscribers count as alive, and its slot. */
  readonly timeouts: string
  readonly slot: number
  /** What is renewed there. */
  readonly member: string
  readonly leaseMs: number
  /** Called when it is lost. */
  readonly onLost: () => void
}

/** The time for which this process may deliver the messages of a subscriber. */
export class Tenure implements LeaseHolder {
  readonly #deps: TenureDeps
  #lease: Lease | undefined
  #ending = new AbortController()

  constructor(deps: TenureDeps) {
    this.#deps = deps
  }

  /** Whether it lasts, by the clock as well: the process may have stood still. */
  get isHeld(): boolean {
    this.check()
    return this.#lease !== undefined
  }

  /** Ends it if it is over by the clock. */
  check(): void {
    if (this.#lease?.expired === true) this.drop()
  }

  /** Aborts with its end. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /**
   * Begins it anew.
   *
   * @param sentAt - when Redis was asked, on the monotonic clock
   */
  begin(sentAt: number): void {
    const { renewal, kind, timeouts: name, slot, member: owner, leaseMs } = this.#deps
    this.drop()
    this.#ending = new AbortController()
    const lease = new Lease({ kind, name, owner, slot }, this)
    lease.renewed = true
    lease.confirm(sentAt, leaseMs)
    this.#lease = lease
    renewal.track(lease)
  }

  drop(): void {
    const lease = this.#lease
    if (lease === undefined) return
    this.#lease = undefined
    this.#deps.renewal.untrack(lease)
    withoutAsyncContext(() => {
      this.#ending.abort()
    })
  }

  onLeaseLost(): void {
    this.drop()
    this.#deps.onLost()
  }
}
