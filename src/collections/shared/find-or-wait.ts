import { demandTurns } from '../../command/operation/command-executor.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { isTransient } from '../../errors/transient.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { Occasion } from '../../waiting/wait-until.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { asEnded } from '../../core/holds/ended-calls.js'

/** Where values come from. */
export interface Source<T> {
  /** Removes what there is now, or returns undefined. It has to take effect once: what is removed is lost with its reply. */
  readonly remove: (options: RunOptions) => Promise<T | undefined>
  /** Whether there is anything. A removal that finds nothing leaves a key behind for a while, as it takes effect once, and this does not. */
  readonly hasAny: (options: RunOptions) => Promise<boolean>
}

/**
 * Removes values as soon as there are any; returns undefined if there are none in time.
 *
 * @param keys - what wakes the waiter when it changes
 */
export async function findOrWait<T>(
  requests: Pick<ObjectRequests, 'isBatch' | 'signal'>,
  waiters: Pick<KeyWaiters, 'wait'>,
  keys: readonly string[],
  { remove, hasAny }: Source<T>,
  patience: Patience,
): Promise<T | undefined> {
  demandTurns(requests, 'Waiting for a value')
  patience.signal?.throwIfAborted()
  const bounds = { replyBy: patience.deadline }
  const found = await remove(bounds)
  if (found !== undefined || patience.deadline.passed) return found
  const isWorthIt = () =>
    hasAny(bounds).catch((error: unknown) => {
      if (!patience.deadline.passed || !isTransient(error)) throw error
      return false // nothing was there when it was looked before, and there is no time left
    })
  const find = async (occasion: Occasion) =>
    occasion === 'message' || (await isWorthIt()) ? await remove(bounds) : undefined
  const { signal } = requests
  try {
    return await waiters.wait(keys, find, { ...patience, signal: eitherSignal(patience.signal, signal) })
  } catch (error) {
    throw asEnded(error, { signal, request: `a poll of ${keys.join(', ')}`, mayHaveRun: () => false })
  }
}
