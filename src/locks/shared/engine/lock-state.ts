import type { LockContext } from '../../../core/context/object-context.js'
import type { Hold } from '../hold/hold.js'
import type { LocalHolds } from '../hold/local-holds.js'
import type { LockIdentity, LockNames } from '../hold/lock-names.js'
import type { LockDriver } from './lock-driver.js'
import type { PendingCleanups } from './pending-cleanups.js'

/** One lock of this client: its names, its driver, and what the client knows of it. The functions of this folder work on it. */
export interface LockState extends LockNames {
  readonly context: LockContext
  readonly identity: LockIdentity
  /** What defines its place among all locks, for every process the same. */
  readonly orderKey: string
  readonly driver: LockDriver
  readonly holds: LocalHolds
  /**
   * What its holds are counted by in Redis, where other locks are counted along with it: what is asked for an owner waits for what is
   * pending for it at any of them.
   */
  readonly counterKey: string
  /** What this client holds of other locks that may be forced open along with this one; all of it, or what one owner holds. */
  readonly beside: (owner?: string) => Iterable<Hold>
  readonly cleanups: PendingCleanups
  /** How many replicas have to confirm that the lock was taken. */
  readonly syncedReplicas: number
}

/** Where a lock is asked for, as `host:port` or in words. */
export function placeOf({ context, key }: LockState): string {
  return context.topology.placeOf(key)
}
