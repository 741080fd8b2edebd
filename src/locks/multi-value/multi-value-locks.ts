import type { RLock } from '../shared/lock.api.js'
import type { LockContext } from '../../core/context/object-context.js'
import { WaitQueues } from '../../waiting/wait-queues.js'
import { lockNames } from '../shared/hold/lock-names.js'
import type { LockAssembly } from '../shared/lock-assembly.js'
import { RedissonLock } from '../shared/lock.js'
import type { LockQueues } from '../shared/queue/lock-queue.js'
import type { Turns } from '../shared/queue/turns.js'
import { HeldValues } from './held-values.js'
import { MultiValueLockDriver } from './multi-value-lock-driver.js'
import { valueNames } from './value-names.js'
import { ValueSet } from './value-set.js'

/** Makes the locks of values of a client. What those of one group share is kept here. */
export class MultiValueLocks {
  readonly #context: LockContext
  readonly #assembly: LockAssembly
  readonly #turns: Turns
  readonly #held = new HeldValues()
  readonly #queues: LockQueues = new WaitQueues()

  constructor(context: LockContext, assembly: LockAssembly, turns: Turns) {
    this.#context = context
    this.#assembly = assembly
    this.#turns = turns
  }

  get(name: string, values: Iterable<string | Uint8Array>): RLock {
    const names = lockNames(this.#context, name)
    const { key } = names
    const set = new ValueSet(key, valueNames(values))
    const { identity } = set
    const held = this.#held
    const variant = { set, held, queues: this.#queues, turns: this.#turns }
    const parts = {
      ...names,
      identity,
      counterKey: `values:${key}`,
      orderKey: `${key} ${set.names}`,
      driver: new MultiValueLockDriver(this.#context, variant),
      holds: held,
      beside: (owner?: string) => held.overlapping(set, owner),
    }
    const engine = this.#assembly.engineOf(parts, {})
    return new RedissonLock(this.#assembly.depsOf(identity, engine))
  }
}
