import { demandTurns } from '../../command/command-executor.js'
import type { Patience } from '../../core/arguments.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import type { ObjectAccess } from './object-access.js'

/**
 * Removes values as soon as there are any; returns undefined if there are none in time.
 *
 * @param find - removes what there is now, or returns undefined. It has to take effect once: what is removed is lost with its reply
 * @param keys - what wakes the waiter when it changes
 */
export async function findOrWait<T>(
  { executor }: Pick<ObjectAccess, 'executor'>,
  waiters: KeyWaiters,
  keys: readonly string[],
  find: () => Promise<T | undefined>,
  patience: Patience,
): Promise<T | undefined> {
  demandTurns(executor, 'Waiting for a value')
  patience.signal?.throwIfAborted()
  const found = await find()
  if (found !== undefined || patience.deadline.passed) return found
  return await waiters.wait(keys, find, patience)
}
