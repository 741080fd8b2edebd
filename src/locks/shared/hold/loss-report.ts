import type { LockContext } from '../../../core/context/object-context.js'
import type { LockLostError } from '../../../errors/lock-errors.js'
import type { Hold } from './hold.js'

/** Whether a loss was not to be expected: neither the lease has ended as it was asked for, nor the client. */
export function isNews({ reason, leaseMs }: LockLostError): boolean {
  return reason !== 'closed' && leaseMs === undefined
}

/** Notifies the listeners of the client that a hold was lost, unless its lease was requested. Groups of locks report for their members. */
export function reportLoss({ events }: LockContext, hold: Hold, error: LockLostError): void {
  if (hold.ofGroupsOnly || !isNews(error)) return
  const { id: threadId, owner } = hold.thread
  events.emit('lockLost', { lock: hold.lock, owner, threadId, reason: error.reason, error })
}
