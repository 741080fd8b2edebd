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
   * Whether a certain thread holds it: all members, or a majority of them for a quorum.
   *
   * How many holds it has is not reported: a thread that has entered a red lock twice may have been let in by two majorities, which have one server in
   * common. It has to leave as often as it has entered.
   */
  isHeldByThread(threadId: ThreadId): Promise<boolean>
}
