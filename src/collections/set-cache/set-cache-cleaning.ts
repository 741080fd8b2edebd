import { cleaningLatch } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { cleanWhileUsed, taskInTurns } from '../shared/cleaning.js'
import * as scripts from './set-cache.scripts.js'

/** Removes values that have ended from the set caches of one client. */
export class SetCacheCleaning {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Cleans a cache until it is garbage-collected. */
  hold(cache: object, key: string): void {
    const { executor } = this.#context
    const clean = taskInTurns((args, signal) =>
      executor.run(scripts.clean, { keys: { set: key, latch: cleaningLatch(key) }, args }, { signal }),
    )
    cleanWhileUsed(this.#context, cache, { kind: 'set-cache', key }, clean)
  }
}
