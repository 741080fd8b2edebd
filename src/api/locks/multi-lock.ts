import type { ThreadId } from '../thread-id.js'
import type { RLock } from './lock.js'

/**
 * Several locks taken as one: all of them, or as many as it needs, or none.
 *
 * It is used like an {@link RLock}. What it cannot tell, because its members may be at different servers, is who holds it if
 * not a certain thread, and for how long.
 */
export interface RMultiLock extends Pick<
  RLock,
  'name' | 'lock' | 'tryLock' | 'acquire' | 'tryAcquire' | 'withLock' | 'unlock' | 'isHeldByCurrentThread'
> {
  /** Whether a certain thread holds it: all members, or a majority of them for a quorum. */
  isHeldByThread(threadId: ThreadId): Promise<boolean>
}
