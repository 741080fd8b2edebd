import { Deadline } from '../../../util/time/deadline.js'
import type { EngineDeps } from './engine-deps.js'
import type { Hold } from '../hold/hold.js'
import type { Acquisition, LockEngine } from './lock-engine.js'
import type { LockHolds } from './lock-holds.js'
import { notThere } from './not-held.js'

/** Changes how long holds of one lock last, once they have begun. */
export class LeaseChanges {
  readonly #deps: EngineDeps
  readonly #holds: LockHolds
  readonly #engine: Pick<LockEngine, 'notHeld'>

  constructor(deps: EngineDeps, holds: LockHolds, engine: Pick<LockEngine, 'notHeld'>) {
    this.#deps = deps
    this.#holds = holds
    this.#engine = engine
  }

  async setLease({ hold, entry }: Acquisition, leaseMs: number): Promise<void> {
    const { context, driver } = this.#deps
    await hold.inTurn(async () => {
      hold.endRenewal(entry) // first: a renewal that is sent after this request, or sent again, would have the last word
      await context.renewal.quiet(hold.lease)
      const sentAt = performance.now()
      const owner = driver.fieldOf(hold.thread.owner)
      const isThere = hold.lost !== undefined || (await driver.setLease(owner, leaseMs))
      if (hold.count === 1) hold.beginLease(sentAt, leaseMs)
      else hold.lease.confirm(sentAt, leaseMs)
      if (!isThere) this.#holds.lose(hold, 'not-held') // a copy of the request may have found the new lease over
      if (hold.lost !== undefined) throw hold.lost
      context.renewal.track(hold.lease)
    })
  }

  async extend({ hold, entry }: Acquisition, leaseMs: number | undefined): Promise<void> {
    const { config, renewal } = this.#deps.context
    await hold.inTurn(async () => {
      if (!hold.has(entry)) throw await notThere(this.#engine, hold)
      if (hold.lost === undefined) await this.#prolong(hold, leaseMs ?? config.lockWatchdogTimeoutMs)
      if (hold.lost !== undefined) throw hold.lost
      if (leaseMs === undefined) hold.beginRenewal(entry)
      renewal.track(hold.lease)
    })
  }

  /**
   * Renews a lease once, for as long as is asked for.
   *
   * Redis may have done so for a hold that ends here meanwhile, or whose reply was lost. No call would release that before its time.
   */
  async #prolong(hold: Hold, leaseMs: number): Promise<void> {
    const { lease } = hold
    const sentAt = performance.now()
    hold.outlasting += 1
    const [held] = await lease.kind.renew([lease], leaseMs, Deadline.never)
    if (held === true) lease.confirm(sentAt, leaseMs)
    else lease.lose('not-held')
    if (hold.lost === undefined) hold.outlasting -= 1
  }
}
