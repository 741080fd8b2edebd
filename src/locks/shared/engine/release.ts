import { idempotencyKey } from '../../../core/context/names.js'
import { falseUnlessClosed } from '../../../errors/false-unless-closed.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import type { Thread } from '../../../ownership/thread.js'
import type { Entry, Hold } from '../hold/hold.js'
import { holdOf, knownOf, lose } from './holds.js'
import type { LockState } from './lock-state.js'
import { lossInWords, notHeld, notThere, notThereUnasked } from './not-held.js'
import { countsOf, releaseLate, sendRelease } from './release-requests.js'

const CHECK_THE_OWNER = 'Check the owner that was given to `threadId`.'

const IT_IS_OVER = 'Either it never took the lock, or it released it already, or its lease ended.'

/** Ends one entry of a hold, as its thread asks for it. */
export function release(lock: LockState, hold: Hold, entry: Entry): Promise<void> {
  entry.leaving = true // so that no other call chooses it while this one waits for its turn
  return hold.inTurn(() => releaseNow(lock, hold, entry))
}

/** See {@link LockEngine.releaseFor}. */
export async function releaseFor(lock: LockState, thread: Thread): Promise<void> {
  const { context, key, counterKey, identity, driver, holds, cleanups } = lock
  const lost = holds.lostBy(identity, thread)
  const entry = lost?.lastByUnlock
  if (lost !== undefined && entry !== undefined) return release(lock, lost, entry)
  const loss = holds.lossOf(identity, thread)
  // Of a thread of our own Redis has nothing that this client does not know: it would be a hold of another lock, or of another place.
  if (!thread.chosen || holdOf(lock, thread) !== undefined)
    throw await notHeld(lock, thread.owner, loss === undefined ? IT_IS_OVER : lossInWords(loss), loss)
  const owner = driver.fieldOf(thread.owner)
  const unknown = { owner, holdCountBefore: 0, stale: 0, leaseMs: 0, heldSince: undefined, isRetry: false }
  // When its lease ends is not known here, so this is not sent later.
  const request = idempotencyKey(key, context.requestIds.next())
  const releasing = driver.release({ ...unknown, idempotencyKey: request })
  cleanups.add(counterKey, owner, releasing)
  const remaining = await releasing
  if (remaining < 0) throw await notHeld(lock, thread.owner, CHECK_THE_OWNER)
}

async function releaseNow(lock: LockState, hold: Hold, entry: Entry): Promise<void> {
  const { config, renewal } = lock.context
  if (!hold.has(entry)) throw await notThere(lock, hold)
  const until = hold.thread.shared ? hold.lease.expiresAt : Infinity
  if (performance.now() >= until) lose(lock, hold, 'expired')
  if (hold.loss() !== undefined) return releaseLost(lock, hold, entry)
  const counts = countsOf(lock, hold, hold.count)
  hold.leave(entry)
  if (hold.count === 0) renewal.untrack(hold.lease)
  try {
    const leaseMs = hold.count > 0 && hold.lease.renewed ? config.lockWatchdogTimeoutMs : 0
    const remaining = await sendRelease(lock, { ...counts, leaseMs, heldSince: hold.since }, false, until)
    if (remaining >= 0) return
  } catch (error) {
    if (performance.now() < until || !isRedissonError(error, 'CONNECTION_LOST') || error.mayHaveRun)
      throw error
    // It was not sent, because its lease was over before it could be.
  } finally {
    if (hold.count === 0) lock.holds.remove(lock.identity, hold)
  }
  lose(lock, hold, hold.lease.expired ? 'expired' : 'not-held')
  throw await notThere(lock, hold)
}

/**
 * Releases what Redis may still count of an entry that was lost, once. Under an owner that other places can name, one of them may have
 * come in since: there it is left to its lease, unless the shutdown has just ended it, or Redis has kept it all the time. So it is where
 * the thread has come in anew, which has taken it off.
 *
 * That it was lost is known, whatever becomes of the request, which is sent on in the background where Redis cannot be reached.
 */
async function releaseLost(lock: LockState, hold: Hold, entry: Entry): Promise<never> {
  const { driver, cleanups, counterKey } = lock
  const { thread, owed } = hold
  hold.leave(entry)
  const until = oursUntil(hold)
  if (owed > 0 && performance.now() < until && knownOf(lock, thread) === undefined) {
    const releasing = releaseLate(lock, hold, owed, until)
    hold.owed -= 1
    cleanups.add(counterKey, driver.fieldOf(thread.owner), releasing) // what is asked next must not be released by it
    const isAnswered = await releasing.then(() => true, falseUnlessClosed)
    if (!isAnswered) throw notThereUnasked(lock, hold)
  }
  throw await notThere(lock, hold)
}

/** Until when what Redis counts of a lost hold is that hold, and not one of another place under the same owner; on the monotonic clock. */
function oursUntil(hold: Hold): number {
  return !hold.thread.shared || hold.loss()?.reason === 'closed' ? Infinity : hold.keptUntil
}
