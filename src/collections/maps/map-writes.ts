import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import * as scripts from './maps.scripts.js'

/** A map as it is sent: its key, and its fields, each followed by its value. */
export interface EncodedMap {
  readonly key: string
  readonly entries: readonly Argument[]
}

/** Replaces maps, each by a request of its own. */
export class MapWrites {
  readonly #context: ObjectContext
  readonly #options: RunOptions

  constructor(context: ObjectContext, options: RunOptions) {
    this.#context = context
    this.#options = options
  }

  async write({ key, entries }: EncodedMap): Promise<void> {
    await this.#context.executor.run(scripts.set, { keys: { map: key }, args: { entries } }, this.#options)
  }
}
