import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { NotInBatchError } from '../../errors/batch-errors.js'

/** What the objects of a batch are given: the context of the client, with the executor of the batch and nothing that goes past it. */
export class BatchContext implements ObjectContext {
  readonly executor: CommandExecutor
  readonly topology: ObjectContext['topology']
  readonly config: ObjectContext['config']
  readonly closing: AbortSignal

  constructor({ topology, config, closing }: ObjectContext, executor: CommandExecutor) {
    this.executor = executor
    this.topology = topology
    this.config = config
    this.closing = closing
  }

  get masters(): never {
    throw new NotInBatchError('A request to every master')
  }

  get subscriptions(): never {
    throw new NotInBatchError('A subscription')
  }

  get keyWakeUps(): never {
    throw new NotInBatchError('The wait for a change of a key')
  }

  get eviction(): never {
    throw new NotInBatchError('The cleaning of expired entries')
  }

  /** Nothing of a batch lasts until the client ends. */
  get onClose(): ObjectContext['onClose'] {
    return () => undefined
  }
}
