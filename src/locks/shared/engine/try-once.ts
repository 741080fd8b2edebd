import type { SyncedResult } from '../../../command/operation/command-executor.js'
import { idempotencyKey } from '../../../core/context/names.js'
import { isOverdue } from '../../../core/holds/outage.js'
import { demandStillWanted } from '../../../core/context/still-wanted.js'
import { LockReentryError, NotReplicatedError } from '../../../errors/lock-errors.js'
import { mayHaveTakenEffect } from '../../../errors/after-effect.js'
import { raceAbort } from '../../../util/abort/race-abort.js'
import { settledInTime } from '../../../waiting/settled-in-time.js'
import type { Attempt } from '../../../waiting/wait-until.js'
import { isReacquired, type AcquireReply, type Refused } from './acquire-reply.js'
import type { AcquireRequest, AcquireResult, SendClaim } from './lock-driver.js'
import type { LockState } from './lock-state.js'
import { acquiredBy, releaseAcquired, sendRelease } from './release-requests.js'

/**
 * Sends one request to have a claim met. What the request acquires without a caller that waits for it is released.
 *
 * @param send - sends the request in another way than the driver does
 */
export async function tryOnce(
  lock: LockState,
  claim: AcquireRequest,
  send?: SendClaim,
): Promise<Attempt<AcquireResult>> {
  const { context, name, key, driver, syncedReplicas } = lock
  demandStillWanted(context, claim.signal)
  claim.trace?.attempt()
  const request = idempotencyKey(key, context.requestIds.next())
  const answer = send?.(claim, request) ?? driver.acquire(claim, request, syncedReplicas)
  let synced: SyncedResult<AcquireReply>
  try {
    synced = await (claim.takesLate ? answer : raceAbort(answer, claim.signal))
  } catch (error) {
    compensate(lock, claim, request, answer)
    // It was refused in this call, and its time is over: that is all that can be said of the lock.
    if (claim.refused === true && isOverdue(error, claim))
      return { done: false, retryInMs: 0, unanswered: true }
    throw isReacquired(error) ? new LockReentryError({ lock: name, owner: claim.owner }) : error
  }
  const { result, replicas, sentAt } = synced
  if (!result.taken) {
    claim.refused = true
    claim.refusedFor = holderOf(result, sentAt)
    claim.refusal = result
    claim.stale = 0 // an owner of whom anything is counted is not refused
    return { done: false, retryInMs: retryInMs(lock, result.leftMs) }
  }
  if (context.closing.aborted) {
    compensate(lock, claim, request, answer)
    throw context.closing.reason
  }
  if (replicas < syncedReplicas) throw await unconfirmed(lock, claim, result.holds, replicas)
  return { done: true, value: { sentAt, holds: result.holds, token: result.token } }
}

/** Ensures that a request acquires nothing for which no caller waits any more. */
function compensate(
  lock: LockState,
  claim: AcquireRequest,
  request: string,
  answer: Promise<SyncedResult<AcquireReply>>,
): void {
  const { context, driver, cleanups, counterKey, syncedReplicas } = lock
  driver.endClaim?.(claim)
  void cleanups.takeBack(counterKey, claim.owner, {
    answer,
    giveBack: async ({ result }) =>
      // An unlock() that came first may have released it along with its own, as a copy finds out by the count.
      result.taken && (await sendRelease(lock, acquiredBy(claim, result.holds), claim.holds > 1)),
    undo: () => driver.undo(claim, request),
    // What waits for replicas may fail after the lock was taken, with any error.
    isOpen: (error) => mayHaveTakenEffect(error) || syncedReplicas > 0,
    undoWithinMs: Math.max(claim.leaseMs, claim.countedForMs ?? 0),
    awaited: context.closing,
  })
}

/** A lock without an end is looked at now and then nevertheless, because the message that frees it may get lost. */
function retryInMs({ context }: LockState, leftMs: number): number {
  return leftMs === -1 ? context.config.lockWatchdogTimeoutMs : Math.max(leftMs, 0)
}

/** Releases what too few replicas have confirmed, in the background where that takes long; returns the error that says so. */
async function unconfirmed(
  lock: LockState,
  claim: AcquireRequest,
  holds: number,
  replicas: number,
): Promise<NotReplicatedError> {
  const { config } = lock.context
  await settledInTime(releaseAcquired(lock, claim, holds), {
    deadline: claim.settleBy,
    signal: claim.signal,
  })
  return new NotReplicatedError({
    replicas,
    expected: lock.syncedReplicas,
    timeoutMs: config.slavesSyncTimeoutMs,
  })
}

/** Who had a lock when a request was refused that was sent at some time, and until when. */
function holderOf({ holder, leftMs }: Refused, sentAt: number): AcquireRequest['refusedFor'] {
  if (holder === undefined) return undefined
  return { owner: holder, until: leftMs < 0 ? Infinity : sentAt + leftMs }
}
