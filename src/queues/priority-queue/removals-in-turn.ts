import type { Held, Turns } from '../../collections/sorted-set/turns.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { notSent } from '../../command/requests/caller-wait.js'
import type { Sending } from '../../connection/connection.js'
import { isTransient } from '../../errors/transient.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { afterRunning } from '../../util/time/after-running.js'
import type { Until } from '../../waiting/settled-in-time.js'

/** One request that removes elements; undefined if another client has the lock. */
export type Attempt = (held: Held, options?: RunOptions) => Promise<readonly Buffer[] | undefined>

const NONE: readonly Buffer[] = []

/**
 * Removes elements for a call that may end while it waits for the lock of Java. It then removes nothing: it finds none, or rejects with the reason of
 * its signal. Nor does it find any where Redis cannot be reached for the lock.
 */
export async function removeInTurn(
  turns: Turns,
  attempt: Attempt,
  options: RunOptions,
  { deadline, signal }: Until,
): Promise<readonly Buffer[]> {
  const ending = new AbortController()
  const leftMs = deadline.within(Infinity)
  let trying: Sending | undefined
  const ends = [
    followAborts(ending, [signal]),
    leftMs === Infinity ? undefined : afterRunning(leftMs, () => ending.abort()),
    onAbort(ending.signal, () => {
      if (trying?.sent === false) trying.over = true
    }),
  ]
  const tryOnce = async (held: Held) => {
    if (ending.signal.aborted) return NONE
    trying = held === '' ? (options.sending ?? notSent()) : notSent()
    const found = await attempt(held, { ...options, sending: trying })
    trying = undefined
    return found
  }
  try {
    return await turns.take(tryOnce, ending.signal)
  } catch (error) {
    if (trying?.over === false) throw error
    signal?.throwIfAborted()
    if (ending.signal.aborted || isTransient(error)) return NONE
    throw error
  } finally {
    for (const end of ends) end?.()
  }
}
