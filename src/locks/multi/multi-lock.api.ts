import type { ThreadId } from '../../api/thread-id.js'
import type { RLock } from '../shared/lock.api.js'

/**
 * Any lock: what single locks and locks of several locks have in common.
 *
 * A function takes this type where it accepts any of them.
 */
export type AnyLock = Pick<
  RLock,
  | 'name'
  | 'lock'
  | 'tryLock'
  | 'acquire'
  | 'tryAcquire'
  | 'withLock'
  | 'unlock'
  | 'isHeldByCurrentThread'
  | 'isHeldByThread'
>

/**
 * Several locks taken as one: all of them, or as many as it needs, or none.
 *
 * It is used like an {@link RLock}, and may be a member of another one. It cannot report its owner, apart from a certain
 * thread, nor its remaining time, because its members may be at different servers.
 */
export interface RMultiLock extends AnyLock {
  /**
   * Returns whether a certain thread holds it: all members, or a majority of them for a quorum.
   *
   * The number of holds is not reported. If a thread has entered a red lock twice, two majorities may have
   * granted the holds, with only one server in common. It must release as often as it has entered.
   */
  isHeldByThread(threadId: ThreadId): Promise<boolean>
}
