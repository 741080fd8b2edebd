import type { ObjectContext } from '../../core/context/object-context.js'
import { cleanWhileUsed, taskInTurns } from '../shared/cleaning.js'
import type { EndingKeys } from './expiring-executor.js'
import * as scripts from './multimap-cache.scripts.js'

/** Removes keys that have ended from the multimap caches of one client. Each client does so, as in Java. */
export class MultimapCacheCleaning {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Cleans a multimap until `used` is garbage-collected. */
  hold(used: object, keys: EndingKeys): void {
    const { executor } = this.#context
    const { kind, multimap, prefix, ends } = keys
    const clean = taskInTurns(({ most }, signal) =>
      executor.run(scripts.clean, { keys: { multimap, prefix, ends }, args: { most } }, { signal }),
    )
    cleanWhileUsed(this.#context, used, { kind: `${kind}-multimap-cache`, key: multimap }, clean)
  }
}
