import type { RunOptions } from '../../command/operation/command-executor.js'
import { notSent } from '../../command/requests/caller-wait.js'
import type { Sending } from '../../connection/connection.js'
import { findOrWait, type Source } from '../../collections/shared/find-or-wait.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { ReplyTimeoutError } from '../../errors/connection-errors.js'
import { isLasting, isTransient, mayHaveRun } from '../../errors/transient.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { valueOf } from '../../util/settled-values.js'
import { Deadline } from '../../util/time/deadline.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { settledInTime, type Until } from '../../waiting/settled-in-time.js'

/** How long a caller that has given up waits for a reply that is on its way, in milliseconds: it may bring an element. */
const REPLY_MS = 500

/** Does not abort. A request that removes elements or puts them back is not ended by the signal of its object: its reply would be lost. */
export const NEVER: AbortSignal = new AbortController().signal

/** One request that removes elements. */
export interface Removal<T> {
  /** Removes what there is now, or returns undefined. */
  readonly remove: (options: RunOptions) => Promise<T | undefined>
  /** Puts back what was removed for a caller that had given up before the reply came. */
  readonly giveBack: (found: T) => Promise<unknown>
}

/** Where elements come from. */
export interface Removals<T> {
  /** The removals that may find something now, in the order in which they are tried. */
  readonly all: (options: RunOptions) => readonly Removal<T>[] | Promise<readonly Removal<T>[]>
  /** Whether there is anything. */
  readonly hasAny: (options: RunOptions) => Promise<boolean>
}

/** What a queue waits with. */
export interface WaitingServices {
  readonly requests: ObjectRequests
  readonly waiters: Pick<KeyWaiters, 'wait'>
  /** Whether a call rejects at once while Redis cannot be reached. */
  readonly failFast: boolean
}

/**
 * Removes elements as soon as there are any; returns undefined if there are none in time.
 *
 * Each removal takes effect once. Redis may be out of reach for any time meanwhile, as in a failover: as long as no removal is left without a reply,
 * the waiting continues. A removal that has none is the error of its own caller, and not of those who wait behind it.
 *
 * @param keys - what wakes the waiter when it changes
 */
export async function removeOrWait<T>(
  { requests, waiters, failFast }: WaitingServices,
  keys: readonly string[],
  { all, hasAny }: Removals<T>,
  patience: Patience,
): Promise<T | undefined> {
  const { deadline } = patience
  const signal = eitherSignal(patience.signal, requests.signal)
  const until = { deadline, signal }
  const isTolerable = (error: unknown) =>
    isTransient(error) && !mayHaveRun(error) && !isLasting(error) && !failFast && !deadline.passed
  const removeFirst = async (bounds: RunOptions): Promise<T | undefined> => {
    for (const removal of await raceAbort(Promise.resolve(all(bounds)), signal)) {
      const found = await removeInTime(removal, until)
      if (found !== undefined) return found
      signal?.throwIfAborted()
      if (deadline.passed) return undefined
    }
    return undefined
  }
  let isWaiting = false
  const source: Source<PromiseSettledResult<T>> = {
    remove: async (bounds) => {
      const mayWaitOn = isWaiting
      isWaiting = true // after the first attempt
      try {
        const value = await removeFirst(bounds)
        return value === undefined ? undefined : { status: 'fulfilled', value }
      } catch (error) {
        if (mayWaitOn && isTolerable(error)) return undefined
        if (!isTransient(error)) throw error
        return { status: 'rejected', reason: error }
      }
    },
    hasAny: async (bounds) => {
      try {
        return await raceAbort(hasAny(bounds), signal)
      } catch (error) {
        if (isTolerable(error)) return false
        throw error
      }
    },
  }
  try {
    signal?.throwIfAborted()
    const outcome = await findOrWait(requests, waiters, keys, source, patience)
    return outcome && valueOf(outcome)
  } catch (error) {
    const request = `a poll of ${keys.join(', ')}`
    throw asEnded(error, { signal: requests.signal, request, mayHaveRun: () => false })
  }
}

/**
 * Removes elements for a caller that may give up. What has not been sent by then is not sent. What has been sent is waited for a moment longer; what it
 * removes after that is given back, because it would reach no caller.
 */
async function removeInTime<T>({ remove, giveBack }: Removal<T>, until: Until): Promise<T | undefined> {
  const sending = notSent()
  const since = performance.now()
  const removing = remove({ exactlyOnce: true, sending, signal: NEVER })
  const reason = await whyGivenUp(removing, until)
  if (reason === undefined) return await removing
  if (sending.sent) {
    if (await settledInTime(removing, { deadline: Deadline.after(REPLY_MS), signal: undefined }))
      return await removing
  } else sending.over = true
  const returned = removing.then((found) => (found === undefined ? undefined : giveBack(found)))
  returned.catch(() => undefined) // there is no caller any more
  throw reason === 'late' ? lateError(sending, since) : reason.error
}

/** Waits for a removal as long as its caller does. Returns undefined if it has settled in time. */
async function whyGivenUp(
  removing: Promise<unknown>,
  until: Until,
): Promise<'late' | { readonly error: unknown } | undefined> {
  try {
    return (await settledInTime(removing, until)) ? undefined : 'late'
  } catch (error) {
    return { error }
  }
}

function lateError({ sent, place, refusal, unreachable }: Sending, since: number): Error {
  const late = new ReplyTimeoutError(place, Math.round(performance.now() - since), { mayHaveRun: sent })
  return sent ? late : (unreachable() ?? refusal ?? late)
}
