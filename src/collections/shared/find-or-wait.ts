import { demandTurns } from '../../command/command-executor.js'
import type { Patience } from '../../core/arguments.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { Occasion } from '../../waiting/wait-until.js'
import type { ObjectAccess } from './object-access.js'

/** Where values come from. */
export interface Source<T> {
  /** Removes what there is now, or returns undefined. It has to take effect once: what is removed is lost with its reply. */
  readonly remove: () => Promise<T | undefined>
  /** Whether there is anything. A removal that finds nothing leaves a key behind for a while, as it takes effect once, and this does not. */
  readonly hasAny: () => Promise<boolean>
}

/**
 * Removes values as soon as there are any; returns undefined if there are none in time.
 *
 * @param keys - what wakes the waiter when it changes
 */
export async function findOrWait<T>(
  { executor }: Pick<ObjectAccess, 'executor'>,
  waiters: KeyWaiters,
  keys: readonly string[],
  { remove, hasAny }: Source<T>,
  patience: Patience,
): Promise<T | undefined> {
  demandTurns(executor, 'Waiting for a value')
  patience.signal?.throwIfAborted()
  const found = await remove()
  if (found !== undefined || patience.deadline.passed) return found
  const find = async (occasion: Occasion) =>
    occasion === 'message' || (await hasAny()) ? await remove() : undefined
  return await waiters.wait(keys, find, patience)
}
