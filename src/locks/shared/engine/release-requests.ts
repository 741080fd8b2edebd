import { idempotencyKey } from '../../../core/context/names.js'
import { isUnconfirmed } from '../../../errors/transient.js'
import type { Hold } from '../hold/hold.js'
import type { AcquireRequest, ReleaseRequest } from './lock-driver.js'
import type { LockState } from './lock-state.js'
import { releasableMs } from './release-options.js'

/** What is to be released. How that is sent is decided here. */
type Given = Omit<ReleaseRequest, 'idempotencyKey' | 'isRetry'>

/**
 * Releases one hold in Redis. When Redis cannot be reached, this rejects, and goes on trying until its lease ends.
 *
 * @param again - whether a copy of the same request may have run
 * @param until - when to stop that, on the monotonic clock: an owner that other places can name may have taken the lock anew
 */
export function sendRelease(
  { context, key, driver, cleanups, counterKey }: LockState,
  given: Given,
  again = false,
  until = Infinity,
): Promise<number> {
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

/** Releases what a claim has acquired and its caller does not get. What is asked for that owner next waits for it. */
export function releaseAcquired(lock: LockState, claim: AcquireRequest, reached: number): Promise<number> {
  const releasing = sendRelease(lock, acquiredBy(claim, reached))
  lock.cleanups.add(lock.counterKey, claim.owner, releasing)
  return releasing
}

/** What a claim has just acquired. What Redis counts beyond the claim belongs to others. */
export function acquiredBy({ owner, holds, leaseMs }: AcquireRequest, reached: number): Given {
  const holdCountBefore = Math.min(holds, reached)
  const lastsUntil = performance.now() + leaseMs
  return { owner, holdCountBefore, stale: 0, leaseMs: 0, heldSince: undefined, lastsUntil }
}

/**
 * Releases one of several holds that Redis may have ended by itself.
 *
 * @param until - when to stop trying, on the monotonic clock
 */
export function releaseLate(lock: LockState, hold: Hold, count: number, until = Infinity): Promise<number> {
  const given = { ...countsOf(lock, hold, count), leaseMs: 0, heldSince: hold.since, isLate: true }
  return sendRelease(lock, given, false, until)
}

/** Releases several holds, one by one, that Redis may have ended by itself. */
export async function releaseAllLate(lock: LockState, hold: Hold, count: number): Promise<void> {
  for (let holds = count; holds > 0; holds -= 1) await releaseLate(lock, hold, holds)
}

/**
 * What is known of the holds of a thread that has that number. Where other places may act for it, that is only a least count, and of use
 * only where it has lost some before these.
 */
export function countsOf(
  { driver, cleanups, counterKey }: LockState,
  { thread, followsLoss, lease: { expiresAt: lastsUntil } }: Hold,
  holds: number,
): Pick<ReleaseRequest, 'owner' | 'holdCountBefore' | 'stale' | 'lastsUntil'> {
  const owner = driver.fieldOf(thread.owner)
  if (thread.shared)
    return { owner, holdCountBefore: 0, stale: followsLoss && !thread.chosen ? holds : 0, lastsUntil }
  return { owner, holdCountBefore: holds, stale: cleanups.countOf(counterKey, owner), lastsUntil }
}
