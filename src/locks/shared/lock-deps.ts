import type { LockContext } from '../../core/context/object-context.js'
import type { LocalHolds } from './hold/local-holds.js'
import type { LockIdentity, LockName } from './hold/lock-names.js'
import type { LockEngine } from './engine/lock-engine.js'
import type { Nesting } from './nesting.js'

/** What a lock is made of. */
export interface LockDeps {
  readonly context: LockContext
  readonly name: LockName
  readonly identity: LockIdentity
  readonly engine: LockEngine
  /** The requests of threads that are under way, by thread and lock. */
  readonly asking: Set<string>
  /** What the holds of a flow that asks for it mean. */
  readonly nesting: Nesting
  /** What the client holds of groups of locks. */
  readonly groups: LocalHolds
  /** The locks that it is made of, if it is a group. */
  readonly parts?: readonly LockDeps[]
}
