import { idempotencyKey } from '../../../core/context/names.js'
import { falseUnlessClosed } from '../../../errors/false-unless-closed.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import type { Thread } from '../../../ownership/thread.js'
import type { EngineDeps } from './engine-deps.js'
import type { Entry, Hold } from '../hold/hold.js'
import type { LockEngine } from './lock-engine.js'
import type { LockHolds } from './lock-holds.js'
import { lossInWords, notThere, notThereUnasked } from './not-held.js'
import type { ReleaseRequests } from './release-requests.js'

const CHECK_THE_OWNER = 'Check the owner that was given to `threadId`.'

const IT_IS_OVER = 'Either it never took the lock, or it released it already, or its lease ended.'

/** Ends holds of one lock as their threads ask for it. */
export class HoldReleases {
  readonly #deps: EngineDeps
  readonly #holds: LockHolds
  readonly #requests: ReleaseRequests
  readonly #engine: Pick<LockEngine, 'notHeld'>

  constructor(
    deps: EngineDeps,
    holds: LockHolds,
    requests: ReleaseRequests,
    engine: Pick<LockEngine, 'notHeld'>,
  ) {
    this.#deps = deps
    this.#holds = holds
    this.#requests = requests
    this.#engine = engine
  }

  release(hold: Hold, entry: Entry): Promise<void> {
    entry.leaving = true // so that no other call chooses it while this one waits for its turn
    return hold.inTurn(() => this.#giveBack(hold, entry))
  }

  async releaseFor(thread: Thread): Promise<void> {
    const { context, key, counterKey, identity, driver, holds, cleanups } = this.#deps
    const lost = holds.lostBy(identity, thread)
    const entry = lost?.lastByUnlock
    if (lost !== undefined && entry !== undefined) return this.release(lost, entry)
    const loss = holds.lossOf(identity, thread)
    // Of a thread of our own Redis has nothing that this client does not know: it would be a hold of another lock, or of another place.
    if (!thread.chosen || this.#holds.holdOf(thread) !== undefined)
      throw await this.#engine.notHeld(
        thread.owner,
        loss === undefined ? IT_IS_OVER : lossInWords(loss),
        loss,
      )
    const owner = driver.fieldOf(thread.owner)
    const unknown = { owner, holdCountBefore: 0, stale: 0, leaseMs: 0, heldSince: undefined, isRetry: false }
    // When its lease ends is not known here, so this is not sent later.
    const request = idempotencyKey(key, context.requestIds.next())
    const releasing = driver.release({ ...unknown, idempotencyKey: request })
    cleanups.add(counterKey, owner, releasing)
    const remaining = await releasing
    if (remaining < 0) throw await this.#engine.notHeld(thread.owner, CHECK_THE_OWNER)
  }

  async #giveBack(hold: Hold, entry: Entry): Promise<void> {
    const { config, renewal } = this.#deps.context
    if (!hold.has(entry)) throw await notThere(this.#engine, hold)
    const until = hold.thread.shared ? hold.lease.expiresAt : Infinity
    if (performance.now() >= until) this.#holds.lose(hold, 'expired')
    if (hold.lost !== undefined) return this.#giveBackLost(hold, entry)
    const counts = this.#requests.countsOf(hold, hold.count)
    hold.leave(entry)
    if (hold.count === 0) renewal.untrack(hold.lease)
    try {
      const leaseMs = hold.count > 0 && hold.lease.renewed ? config.lockWatchdogTimeoutMs : 0
      const released = await this.#requests.send({ ...counts, leaseMs, heldSince: hold.since }, false, until)
      if (released >= 0) return
    } catch (error) {
      if (performance.now() < until || !isRedissonError(error, 'CONNECTION_LOST') || error.mayHaveRun)
        throw error
      // It was not sent, because its lease was over before it could be.
    } finally {
      if (hold.count === 0) this.#holds.end(hold)
    }
    this.#holds.lose(hold, hold.lease.expired ? 'expired' : 'not-held')
    throw await notThere(this.#engine, hold)
  }

  /**
   * Releases what Redis may still count of an entry that was lost, once. Under an owner that other places can name, one of them may have
   * come in since: there it is left to its lease, unless the shutdown has just ended it, or Redis has kept it all the time. So it is where
   * the thread has come in anew, which has taken it off.
   *
   * That it was lost is known, whatever becomes of the request, which is sent on in the background where Redis cannot be reached.
   */
  async #giveBackLost(hold: Hold, entry: Entry): Promise<never> {
    const { driver, cleanups, counterKey } = this.#deps
    const { thread, owed } = hold
    hold.leave(entry)
    const until = oursUntil(hold)
    if (owed > 0 && performance.now() < until && this.#holds.knownOf(thread) === undefined) {
      const releasing = this.#requests.sendLate(hold, owed, until)
      hold.oweOneLess()
      cleanups.add(counterKey, driver.fieldOf(thread.owner), releasing) // what is asked next must not be released by it
      const isAnswered = await releasing.then(() => true, falseUnlessClosed)
      if (!isAnswered) throw notThereUnasked(this.#deps, hold)
    }
    throw await notThere(this.#engine, hold)
  }
}

/** Until when what Redis counts of a lost hold is that hold, and not one of another place under the same owner; on the monotonic clock. */
function oursUntil({ thread, lost, keptUntil }: Hold): number {
  return !thread.shared || lost?.reason === 'closed' ? Infinity : keptUntil
}
