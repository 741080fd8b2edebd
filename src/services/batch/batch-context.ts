import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { NotInBatchError } from '../../errors/batch-errors.js'

/** What the objects of a batch are given: the context of the client, with the executor of the batch and nothing that goes past it. */
export class BatchContext implements ObjectContext {
  readonly executor: CommandExecutor
  readonly topology: ObjectContext['topology']
  readonly config: ObjectContext['config']
  readonly closing: AbortSignal

  readonly #called: () => string | undefined

  /** @param called - the call that asks now, by which what a batch has none of is refused */
  constructor(
    { topology, config, closing }: ObjectContext,
    executor: CommandExecutor,
    called: () => string | undefined,
  ) {
    this.executor = executor
    this.topology = topology
    this.config = config
    this.closing = closing
    this.#called = called
  }

  get masters(): never {
    return this.#refuse('A request to every master')
  }

  get subscriptions(): never {
    return this.#refuse('A subscription')
  }

  get keyChanges(): never {
    return this.#refuse('A subscription to changes of a key')
  }

  get keyWakeUps(): never {
    return this.#refuse('The wait for a change of a key')
  }

  get eviction(): never {
    return this.#refuse('The cleaning of expired entries')
  }

  /** Nothing of a batch lasts until the client ends. */
  get onClose(): ObjectContext['onClose'] {
    return () => undefined
  }

  #refuse(what: string): never {
    throw new NotInBatchError(this.#called() ?? what)
  }
}
