import type { LockLossReason } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import { Lease } from '../../../renewal/lease.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import type { EngineDeps } from './engine-deps.js'
import { Hold, type Entry, type HoldEngine } from '../hold/hold.js'
import type { AcquireResult } from './lock-driver.js'
import type { Acquisition } from './lock-engine.js'
import { reportLoss } from '../hold/loss-report.js'
import type { ReleaseRequests } from './release-requests.js'

/** An entry that Redis has granted. */
interface Granted {
  readonly result: AcquireResult
  readonly entry: Entry
  readonly leaseMs: number
  /** The least that Redis counts now, if it has kept what the thread held. */
  readonly leastHolds: number
}

/** What this client holds of one lock: begins holds as Redis grants them, and ends those that are lost. */
export class LockHolds implements HoldEngine {
  readonly #deps: EngineDeps
  readonly #releases: ReleaseRequests

  constructor(deps: EngineDeps, releases: ReleaseRequests) {
    this.#deps = deps
    this.#releases = releases
  }

  /** What is known of a thread, which may have been released by now, or be lost. */
  knownOf({ owner }: Thread): Hold | undefined {
    return this.#deps.holds.get(this.#deps.identity, owner)
  }

  /** What a thread holds. */
  holdOf(thread: Thread): Hold | undefined {
    const hold = this.knownOf(thread)
    return hold?.lost === undefined && hold?.count !== 0 ? hold : undefined
  }

  /** Begins an entry: in the hold that the thread has, or in a new one. */
  enter(thread: Thread, { result, entry, leaseMs, leastHolds }: Granted): Acquisition {
    const { context, driver } = this.#deps
    const known = this.knownOf(thread)
    if (known !== undefined && (result.holds < leastHolds || hasOtherToken(known, result)))
      this.lose(known, 'not-held') // Redis had forgotten it
    const hold = this.knownOf(thread) ?? this.#newHold(thread, result.sentAt)
    hold.enter(entry)
    hold.token ??= result.token
    hold.lease.confirm(result.sentAt, leaseMs)
    context.renewal.track(hold.lease)
    if (driver.prolongsOthers === true || driver.sharesHolds === true) this.#noteShared(hold)
    return { hold, entry }
  }

  /** Notes that a request is about to be sent by which Redis may keep other holds of the thread for longer than their leases. */
  noteRequest({ owner }: Thread): void {
    const { driver, beside } = this.#deps
    if (driver.prolongsOthers === true) for (const other of beside(owner)) other.outlasting += 1
  }

  /** How many holds of a thread were lost that Redis may still count. No later request releases them. */
  takeStale(thread: Thread): number {
    return this.#deps.holds.lostBy(this.#deps.identity, thread)?.oweNothing() ?? 0
  }

  /** A hold has ended: the thread has released all of it. */
  end(hold: Hold): void {
    this.#deps.holds.remove(this.#deps.identity, hold)
  }

  lose(hold: Hold, reason: LockLossReason): void {
    const { context, driver, holds, identity } = this.#deps
    const isOpened = reason === 'not-held' || reason === 'forced'
    const error = hold.lose(hold.lease.endBy(reason), isOpened ? driver.leavesRest : undefined)
    context.renewal.untrack(hold.lease)
    if (error === undefined) return
    holds.removeLost(identity, hold, error)
    if (reason === 'expired' && hold.outlasting > 0) this.#endInRedis(hold)
    reportLoss(context, hold, error)
  }

  async loseIfForced(hold: Hold): Promise<void> {
    const { driver } = this.#deps
    const { holds } = await driver.inspect(driver.fieldOf(hold.thread.owner))
    if (holds === 0 && hold.count > 0) this.lose(hold, 'forced')
  }

  relinquish(hold: Hold): Promise<void> {
    return hold.inTurn(() => this.#releases.sendAllLate(hold, hold.count))
  }

  /** Releases what a thread lost while it came in once more, if Redis counts it on with that. */
  giveBackBeside(hold: Hold, lost: Hold, { holds }: AcquireResult): void {
    this.#giveBackInTurn(hold, async () => {
      for (let owed = Math.min(lost.oweNothing(), holds - 1); owed > 0; owed -= 1)
        await this.#releases.sendLate(hold, hold.count + owed)
    })
  }

  /**
   * Releases in Redis what has ended here. What the owner asks for next waits for that, unless it has come in once more already: then
   * this would be taken from that hold.
   */
  #endInRedis(hold: Hold): void {
    this.#giveBackInTurn(hold, async () => {
      if (this.knownOf(hold.thread) === undefined) await this.#releases.sendAllLate(hold, hold.oweNothing())
    })
  }

  /** In turn with what else is asked for a hold. Under an owner that every process can name, another may have taken the lock anew. */
  #giveBackInTurn(hold: Hold, giveBack: () => Promise<void>): void {
    const { driver, cleanups, counterKey } = this.#deps
    if (hold.thread.shared) return
    const ending = withoutAsyncContext(() => hold.inTurn(giveBack))
    cleanups.add(counterKey, driver.fieldOf(hold.thread.owner), ending)
  }

  #noteShared(hold: Hold): void {
    const { driver, beside } = this.#deps
    for (const other of beside(hold.thread.owner)) {
      other.outlasting += 1
      if (driver.sharesHolds === true) hold.outlasting += 1
      else if (other.lost === undefined) other.keptUntil = Math.max(other.keptUntil, hold.lease.expiresAt)
    }
  }

  #newHold(thread: Thread, since: number): Hold {
    const { context, name: lock, key: name, identity, driver, holds } = this.#deps
    const owner = driver.fieldOf(thread.owner)
    const lease = { kind: driver.renewal, name, owner, slot: context.topology.slotOf(name) }
    const followsLoss = holds.lostBy(identity, thread) !== undefined
    const options = { lock, thread, since, engine: this, followsLoss }
    const hold = new Hold(options, (holder) => new Lease(lease, holder))
    holds.add(identity, hold)
    return hold
  }
}

/** Whether a lock has changed hands since a hold of it was taken, as its fencing token shows. */
function hasOtherToken({ token }: Hold, result: AcquireResult): boolean {
  return token !== undefined && result.token !== undefined && token !== result.token
}
