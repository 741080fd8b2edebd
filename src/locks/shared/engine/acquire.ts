import { endOfWaiting, unheard } from '../../../core/context/still-wanted.js'
import { LockLostError, LockTimeoutError, type LockHolder } from '../../../errors/lock-errors.js'
import type { Thread } from '../../../ownership/thread.js'
import { safeUntil } from '../../../renewal/lease.js'
import { settledInTime, settlingDeadline, type Until } from '../../../waiting/settled-in-time.js'
import { entryOf, type Entry, type Hold } from '../hold/hold.js'
import { inTurn } from '../hold/in-turn.js'
import { enter, knownOf, lose, noteRequest, releaseBeside } from './holds.js'
import type { AcquireRequest, AcquireResult, Attempting } from './lock-driver.js'
import type { Acquisition } from './lock-engine.js'
import type { LockRequest } from './lock-request.js'
import { placeOf, type LockState } from './lock-state.js'
import { releaseAcquired } from './release-requests.js'
import { tryOnce } from './try-once.js'

/** See {@link LockEngine.acquire}. */
export async function acquire(
  lock: LockState,
  thread: Thread,
  request: LockRequest,
  how: Omit<Entry, 'renewed'>,
): Promise<Acquisition> {
  const { context, cleanups, counterKey, driver, holds, identity } = lock
  const entry = entryOf(how, request, request.leaseMs === undefined)
  const before = { deadline: settlingDeadline(request, context.config), signal: request.signal }
  if (!cleanups.isEmpty) await settle(lock, thread, request, before)
  noteRequest(lock, thread)
  const known = knownOf(lock, thread)
  const inside =
    known &&
    (await inTurn(known, context, { ...before, placeOf: () => placeOf(lock) }, () =>
      reenter(lock, known, thread, request, entry),
    ))
  if (inside !== undefined) return inside
  // That it was lost may just have been found out. Otherwise nothing new can be open but this very request, as a late member of a group.
  if (known !== undefined && !cleanups.isEmpty) await settle(lock, thread, request, before)
  const claim = claimOf(lock, thread, request, {
    holds: thread.shared ? 0 : 1,
    stale: thread.shared ? 0 : (holds.lostBy(identity, thread)?.takeOwed() ?? 0),
    needsToken: known !== undefined && known.token === undefined,
  })
  try {
    for (;;) {
      const first = driver.triesFirst(claim) ? await tryOnce(lock, claim) : undefined
      if (first?.done === false && claim.deadline.passed) throw timeout(lock, request, claim)
      const again: Attempting = (send) => tryOnce(lock, claim, send)
      const result = first?.done === true ? first.value : await driver.wait(claim, again)
      if (result === undefined) throw timeout(lock, request, claim)
      const { holds: leastHolds, leaseMs } = claim
      if (performance.now() < safeUntil(result.sentAt, leaseMs))
        return enter(lock, thread, { result, entry, leaseMs, leastHolds })
      await releaseExpired(lock, thread, claim, result, entry)
    }
  } finally {
    driver.endClaim?.(claim)
    if (claim.leaving !== undefined) cleanups.add(counterKey, claim.owner, claim.leaving) // a late copy of it would remove a new place
  }
}

/** Comes in once more where the owner is inside already; undefined if it turns out that it is not. */
async function reenter(
  lock: LockState,
  hold: Hold,
  { shared }: Thread,
  request: LockRequest,
  entry: Entry,
): Promise<Acquisition | undefined> {
  if (hold.loss() !== undefined || hold.count === 0) return undefined
  const leastHolds = hold.count + 1
  // An owner that is inside waits for nothing. If it turns out that it is not, it asks anew, and waits then.
  const holds = shared || hold.thread.shared ? 0 : leastHolds
  const claim = {
    ...claimOf(lock, hold.thread, request, { holds, stale: 0, needsToken: hold.token === undefined }),
    waitMs: 0,
    countedForMs: hold.lease.expiresAt - performance.now(),
  }
  try {
    const next = await tryOnce(lock, claim)
    if (next.done) {
      const { value: result } = next
      const { leaseMs } = claim
      const taken = enter(lock, hold.thread, { result, entry, leaseMs, leastHolds })
      if (taken.hold !== hold) releaseBeside(lock, taken.hold, hold, result)
      return taken
    }
    lose(lock, hold, 'not-held')
    return undefined
  } finally {
    lock.driver.endClaim?.(claim)
  }
}

function claimOf(
  { context, driver, syncedReplicas }: LockState,
  thread: Thread,
  request: LockRequest,
  counts: Required<Pick<AcquireRequest, 'holds' | 'stale' | 'needsToken'>>,
): AcquireRequest {
  const { leaseMs = context.config.lockWatchdogTimeoutMs, waitMs, deadline, replyBy = deadline } = request
  const { sending, signal, trace, takesLate = false, inside = false } = request
  return {
    owner: driver.fieldOf(thread.owner),
    ...counts,
    leaseMs,
    waitMs,
    deadline,
    replyBy,
    settleBy: settlingDeadline(request, context.config),
    sending,
    signal,
    trace,
    takesLate,
    inside,
    confirmed: syncedReplicas > 0,
  }
}

/**
 * No call returns a lock whose lease was over before the reply arrived. A caller with the watchdog may try again, once what is left of it is
 * released; a lease of one's own may just be too short.
 */
async function releaseExpired(
  lock: LockState,
  { owner }: Thread,
  claim: AcquireRequest,
  result: AcquireResult,
  { renewed }: Entry,
): Promise<void> {
  const releasing = releaseAcquired(lock, claim, result.holds)
  const lost = { lock: lock.name, owner, reason: 'expired' } as const
  if (!renewed) throw new LockLostError({ ...lost, leaseMs: claim.leaseMs })
  const isSettled = await settledInTime(releasing, claim)
  if (!isSettled || claim.deadline.passed) throw new LockLostError(lost)
}

/** Waits until Redis has got all that this client asked for a thread before: what comes late must not end what the thread gets now. */
async function settle(
  lock: LockState,
  thread: Thread,
  { waitMs, group }: LockRequest,
  { deadline, signal }: Until,
): Promise<void> {
  const { context, cleanups, counterKey, driver } = lock
  const owner = driver.fieldOf(thread.owner)
  if (cleanups.countOf(counterKey, owner) === 0) return
  const { config, topology } = context
  const isImpatient = waitMs === 0 || config.failFast
  if (isImpatient && topology.outage !== undefined) throw topology.outage // what is open is settled when Redis is back
  const askedAt = performance.now()
  const end = endOfWaiting(context, signal)
  const asking = { deadline, signal: end, ...(group !== undefined && { group }) }
  if (!(await cleanups.untilClean(counterKey, owner, asking))) throw unheard(context, placeOf(lock), askedAt)
}

/** The error of a caller whose time is over: while Redis cannot be reached, that is all that is known. */
function timeout({ context, name }: LockState, { waitMs }: LockRequest, claim: AcquireRequest): Error {
  const { topology, owners } = context
  return (
    topology.outage ??
    new LockTimeoutError(name, waitMs, { holder: stillHeldBy(claim), clientId: owners.clientId })
  )
}

/** Who has a lock, as far as the claim knows that was refused. */
function stillHeldBy({ refusedFor }: AcquireRequest): LockHolder | undefined {
  if (refusedFor === undefined) return undefined
  const { owner, until } = refusedFor
  return { owner, remainingMs: until === Infinity ? -1 : Math.max(0, Math.ceil(until - performance.now())) }
}
