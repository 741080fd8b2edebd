import type { Deadline } from '../util/deadline.js'
import type { Lease } from './lease.js'

/** A way to renew leases. Every family of locks brings its own. */
export interface RenewalKind {
  readonly name: string
  /** Extends leases of one slot in one round trip; answers, in order, which are still held. */
  renew(leases: readonly Lease[], leaseMs: number, deadline: Deadline): Promise<readonly boolean[]>
}
