import type { LockSettings } from '../locks.api.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { LockState } from './engine/lock-state.js'
import { LocalHolds } from './hold/local-holds.js'
import type { LockIdentity } from './hold/lock-names.js'
import type { LockDeps } from './lock-deps.js'
import type { LockEngine } from './engine/lock-engine.js'
import { ExclusiveNesting, type Nesting } from './nesting.js'
import { PendingCleanups } from './engine/pending-cleanups.js'
import { SingleLockEngine } from './engine/single-lock-engine.js'

/** What a family says of one of its locks. */
type LockParts = Pick<LockState, 'name' | 'key' | 'identity' | 'driver' | 'holds'> &
  Partial<Pick<LockState, 'counterKey' | 'orderKey' | 'beside'>>

const LOCK_SETTINGS = known<LockSettings>({ syncedReplicas: true })

const nothing = (): [] => []

/** Puts together what every lock is made of, of whatever family; keeps what all locks of a client share. */
export class LockAssembly {
  readonly cleanups = new PendingCleanups()
  readonly #context: LockContext
  readonly #asking = new Set<string>()
  readonly #groups = new LocalHolds()

  constructor(context: LockContext) {
    this.#context = context
  }

  /** The engine of a lock. Where its family does not say otherwise, its holds are counted, ordered and forced open by themselves. */
  engineOf(parts: LockParts, settings: LockSettings): LockEngine {
    demandOptions(settings, LOCK_SETTINGS)
    const context = this.#context
    const { syncedReplicas = context.config.syncedReplicas } = settings
    return new SingleLockEngine({
      context,
      counterKey: parts.identity,
      orderKey: parts.key,
      beside: nothing,
      cleanups: this.cleanups,
      syncedReplicas: wholeNumber('syncedReplicas', syncedReplicas, 0),
      ...parts,
    })
  }

  /** What a lock is made of, once its engine is there; of one owner at a time, unless its family says otherwise. */
  depsOf(
    identity: LockIdentity,
    engine: LockEngine,
    nesting: Nesting = new ExclusiveNesting({ owners: this.#context.owners, identity, engine }),
  ): LockDeps {
    const { name } = engine
    const asking = this.#asking
    return { context: this.#context, name, identity, engine, nesting, asking, groups: this.#groups }
  }
}
