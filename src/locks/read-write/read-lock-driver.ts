import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import { waitUntil } from '../../waiting/wait-until.js'
import type { RenewalKind } from '../../renewal/lease.js'
import type {
  AcquireRequest,
  Attempting,
  ReleaseRequest,
  AcquireResult,
} from '../shared/engine/lock-driver.js'
import { acquireRead, releaseRead, reletRead, undoRead } from './read-write-lock.scripts.js'
import { releaseOptions } from '../shared/engine/release-options.js'
import { ReadWriteLockDriver, wakeAll, type Preference } from './read-write-lock-driver.js'

/** A reader that reads already gives way to no writer: a waiting writer would wait for it as well. */
const comesNewly = ({ inside }: AcquireRequest): boolean => !inside

/** The read side of a read-write lock on the wire. */
export class ReadLockDriver extends ReadWriteLockDriver {
  /** Both sides are one key with one end, which is that of what a writer reads. */
  readonly prolongsOthers = true
  readonly leavesRest = true

  constructor(
    context: LockContext,
    key: LockKey,
    side: { readonly renewal: RenewalKind; readonly prefer: Preference },
  ) {
    super(context, key, {
      mode: 'read',
      acquire: acquireRead,
      undo: undoRead,
      mindsWriters: comesNewly,
      ...side,
    })
  }

  fieldOf(owner: string): string {
    return owner
  }

  protected ownerOf(field: string): string {
    return field
  }

  release(given: ReleaseRequest): Promise<number> {
    const { owner, holdCountBefore: holds, stale, idempotencyKey: request } = given
    const call = { keys: { ...this.keys, request }, args: { owner, holds, stale } }
    return this.context.executor.run(releaseRead, call, releaseOptions(given, this.context.config))
  }

  async setLease(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: this.keys, args: { owner, leaseMs } }
    return (await this.context.executor.run(reletRead, call)) === 1
  }

  triesFirst(): boolean {
    return true
  }

  async wait({ deadline, signal }: AcquireRequest, attempt: Attempting): Promise<AcquireResult | undefined> {
    const channelWaiter = this.context.wakeUps.join(this.keys.channel, wakeAll)
    const { subscriptionTimeoutMs } = this.context.config
    try {
      return await waitUntil(channelWaiter, {
        attempt: () => attempt(),
        deadline,
        signal,
        subscriptionTimeoutMs,
      })
    } finally {
      channelWaiter.leave()
    }
  }
}
