import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { FREE, type Inspection } from '../shared/engine/lock-driver.js'
import { inspect, relet } from './lock.scripts.js'

/** A lease for a lock that is a hash of owner to hold count. */
interface NewLease {
  readonly keys: { readonly lock: string; readonly channel: string }
  readonly args: { readonly owner: string; readonly leaseMs: number }
  /** Whether no waiter listens. */
  readonly silent?: boolean
}

/** Sets the lease of a lock that is a hash of owner to hold count; returns whether the owner holds it. */
export async function setLeaseOfHash(executor: CommandExecutor, lease: NewLease): Promise<boolean> {
  return (await executor.run(relet, lease)) === 1
}

/** Returns who holds a lock that is a hash of owner to hold count, and how often one owner does. */
export async function inspectHash(
  executor: CommandExecutor,
  lock: string,
  owner: string,
): Promise<Inspection> {
  const [leftMs, holder, holds] = await executor.run(inspect, { keys: { lock }, args: {} })
  return leftMs === -2 ? FREE : { leftMs, holder, holds: holder === owner ? holds : 0 }
}
