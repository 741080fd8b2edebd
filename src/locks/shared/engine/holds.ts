import type { LockLossReason } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import { Lease } from '../../../renewal/lease.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'
import { Hold, type Entry } from '../hold/hold.js'
import { reportLoss } from '../hold/loss-report.js'
import type { AcquireResult } from './lock-driver.js'
import type { Acquisition } from './lock-engine.js'
import type { LockState } from './lock-state.js'
import { releaseAllLate, releaseLate } from './release-requests.js'

/** An entry that Redis has granted. */
interface Granted {
  readonly result: AcquireResult
  readonly entry: Entry
  readonly leaseMs: number
  /** The least that Redis counts now, if it has kept what the thread held. */
  readonly leastHolds: number
}

/** What one owner has of a lock that is one in Redis. */
class SingleHold extends Hold {
  readonly #lock: LockState

  constructor(lock: LockState, thread: Thread, since: number) {
    const { context, name, key, identity, driver, holds } = lock
    const followsLoss = holds.lostBy(identity, thread) !== undefined
    const owner = driver.fieldOf(thread.owner)
    const lease = { kind: driver.renewal, name: key, owner, slot: context.topology.slotOf(key) }
    super({ lock: name, thread, since, followsLoss }, (holder) => new Lease(lease, holder))
    this.#lock = lock
  }

  onLeaseLost(reason: LockLossReason): void {
    lose(this.#lock, this, reason)
  }

  async loseIfForced(): Promise<void> {
    const { driver } = this.#lock
    const { holds } = await driver.inspect(driver.fieldOf(this.thread.owner))
    if (holds === 0 && this.count > 0) this.onLeaseLost('forced')
  }

  /** Releases in Redis what is left of a hold that the shutdown has ended. Its entries stay, and are known to be lost. */
  giveBack(): Promise<void> {
    return this.inTurn(() => releaseAllLate(this.#lock, this, this.count))
  }
}

/** What is known of a thread, which may have been released by now, or be lost. */
export function knownOf({ holds, identity }: LockState, { owner }: Thread): Hold | undefined {
  return holds.get(identity, owner)
}

/** What a thread holds. */
export function holdOf(lock: LockState, thread: Thread): Hold | undefined {
  const hold = knownOf(lock, thread)
  return hold?.loss() === undefined && hold?.count !== 0 ? hold : undefined
}

/** Begins an entry: in the hold that the thread has, or in a new one. */
export function enter(
  lock: LockState,
  thread: Thread,
  { result, entry, leaseMs, leastHolds }: Granted,
): Acquisition {
  const known = knownOf(lock, thread)
  if (known !== undefined && (result.holds < leastHolds || hasOtherToken(known, result)))
    lose(lock, known, 'not-held') // Redis had forgotten it
  const hold = knownOf(lock, thread) ?? newHold(lock, thread, result.sentAt)
  hold.enter(entry)
  hold.token ??= result.token
  hold.lease.confirm(result.sentAt, leaseMs)
  lock.context.renewal.track(hold.lease)
  noteShared(lock, hold)
  return { hold, entry }
}

/** Notes that a request is about to be sent by which Redis may keep other holds of the thread for longer than their leases. */
export function noteRequest({ driver, beside }: LockState, { owner }: Thread): void {
  if (driver.prolongsOthers === true) for (const other of beside(owner)) other.outlasting += 1
}

/** A hold is lost. */
export function lose(lock: LockState, hold: Hold, reason: LockLossReason): void {
  const { context, driver, holds, identity } = lock
  const isOpened = reason === 'not-held' || reason === 'forced'
  const error = hold.lose(hold.lease.endBy(reason), isOpened ? driver.leavesRest : undefined)
  context.renewal.untrack(hold.lease)
  if (error === undefined) return
  holds.removeLost(identity, hold, error)
  if (reason === 'expired' && hold.outlasting > 0) endInRedis(lock, hold)
  reportLoss(context, hold, error)
}

/** Releases what a thread lost while it came in once more, if Redis counts it on with that. */
export function releaseBeside(lock: LockState, hold: Hold, lost: Hold, { holds }: AcquireResult): void {
  releaseInTurn(lock, hold, async () => {
    for (let owed = Math.min(lost.takeOwed(), holds - 1); owed > 0; owed -= 1)
      await releaseLate(lock, hold, hold.count + owed)
  })
}

/**
 * Releases in Redis what has ended here. What the owner asks for next waits for that, unless it has come in once more already: then
 * this would be taken from that hold.
 */
function endInRedis(lock: LockState, hold: Hold): void {
  releaseInTurn(lock, hold, async () => {
    if (knownOf(lock, hold.thread) === undefined) await releaseAllLate(lock, hold, hold.takeOwed())
  })
}

/** In turn with what else is asked for a hold. Under an owner that every process can name, another may have taken the lock anew. */
function releaseInTurn(
  { driver, cleanups, counterKey }: LockState,
  hold: Hold,
  release: () => Promise<void>,
): void {
  if (hold.thread.shared) return
  const ending = withoutAsyncContext(() => hold.inTurn(release))
  cleanups.add(counterKey, driver.fieldOf(hold.thread.owner), ending)
}

/** Notes what holds of one owner mean to each other, where Redis keeps them by one lease or one count. */
function noteShared({ driver, beside }: LockState, hold: Hold): void {
  if (driver.prolongsOthers !== true && driver.sharesHolds !== true) return
  for (const other of beside(hold.thread.owner)) {
    other.outlasting += 1
    if (driver.sharesHolds === true) hold.outlasting += 1
    else if (other.loss() === undefined) other.keptUntil = Math.max(other.keptUntil, hold.lease.expiresAt)
  }
}

function newHold(lock: LockState, thread: Thread, since: number): Hold {
  const hold = new SingleHold(lock, thread, since)
  lock.holds.add(lock.identity, hold)
  return hold
}

/** Whether a lock has changed hands since a hold of it was taken, as its fencing token shows. */
function hasOtherToken({ token }: Hold, result: AcquireResult): boolean {
  return token !== undefined && result.token !== undefined && token !== result.token
}
