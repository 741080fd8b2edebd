import { idempotencyKey } from '../../../core/context/names.js'
import { isUnconfirmed } from '../../../errors/transient.js'
import type { EngineDeps } from './engine-deps.js'
import type { Hold } from '../hold/hold.js'
import type { AcquireRequest, ReleaseRequest } from './lock-driver.js'
import { releasableMs } from './release-options.js'

/** What is to be released; how that is sent, the requests know themselves. */
type Given = Omit<ReleaseRequest, 'idempotencyKey' | 'isRetry'>

/** Releases in Redis what threads have of one lock. It knows nothing of the holds of this client. */
export class ReleaseRequests {
  readonly #deps: EngineDeps

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  /**
   * Releases one hold. When Redis cannot be reached, this rejects, and goes on trying until its lease ends.
   *
   * @param until - when to stop that, on the monotonic clock: an owner that other places can name may have taken the lock anew
   */
  send(given: Given, again = false, until = Infinity): Promise<number> {
    const { context, key, driver, cleanups, counterKey } = this.#deps
    const request = idempotencyKey(key, context.requestIds.next())
    const release: ReleaseRequest = { ...given, idempotencyKey: request, isRetry: again, until }
    const answer = driver.release(release)
    if (driver.sharesHolds === true) cleanups.add(counterKey, given.owner, answer)
    return answer.catch((error: unknown) => {
      const undoWithinMs = Math.min(releasableMs(given, context.config), until - performance.now())
      if (undoWithinMs > 0)
        void cleanups.takeBack(counterKey, given.owner, {
          answer,
          giveBack: () => Promise.resolve(), // nothing was taken
          undo: () => driver.release({ ...release, isRetry: true }),
          isOpen: isUnconfirmed,
          undoWithinMs,
          awaited: context.closing,
        })
      throw error
    })
  }

  /** Releases what a claim has got and its caller does not get. What is asked for that owner next waits for it. */
  return(claim: AcquireRequest, reached: number): Promise<number> {
    const returning = this.send(returnOf(claim, reached))
    this.#deps.cleanups.add(this.#deps.counterKey, claim.owner, returning)
    return returning
  }

  /**
   * Releases one of several holds that Redis may have ended by itself.
   *
   * @param until - when to stop trying, on the monotonic clock
   */
  sendLate(hold: Hold, count: number, until = Infinity): Promise<number> {
    const given = { ...this.countsOf(hold, count), leaseMs: 0, heldSince: hold.since, isLate: true }
    return this.send(given, false, until)
  }

  /** Releases several holds, one by one, that Redis may have ended by itself. */
  async sendAllLate(hold: Hold, count: number): Promise<void> {
    for (let holds = count; holds > 0; holds -= 1) await this.sendLate(hold, holds)
  }

  /**
   * What is known of the holds of a thread that has that number. Where other places may act for it, that is only a least count, and of use
   * only where it has lost some before these.
   */
  countsOf(
    { thread, followsLoss, lease: { expiresAt: lastsUntil } }: Hold,
    holds: number,
  ): Pick<ReleaseRequest, 'owner' | 'holdCountBefore' | 'stale' | 'lastsUntil'> {
    const { driver, cleanups, counterKey } = this.#deps
    const owner = driver.fieldOf(thread.owner)
    if (thread.shared)
      return { owner, holdCountBefore: 0, stale: followsLoss && !thread.chosen ? holds : 0, lastsUntil }
    return { owner, holdCountBefore: holds, stale: cleanups.countOf(counterKey, owner), lastsUntil }
  }
}

/** How to release what a claim has just got. What Redis counts beyond the claim belongs to others. */
export function returnOf({ owner, holds, leaseMs }: AcquireRequest, reached: number): Given {
  const holdCountBefore = Math.min(holds, reached)
  const lastsUntil = performance.now() + leaseMs
  return { owner, holdCountBefore, stale: 0, leaseMs: 0, heldSince: undefined, lastsUntil }
}
