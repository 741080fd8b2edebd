import { cleaningLatch, mapCacheKeys } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { cleanWhileUsed, taskInTurns } from '../shared/cleaning.js'
import * as scripts from './map-cache.scripts.js'

/** Removes entries that have expired from the map caches of one client. */
export class MapCacheCleaning {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Cleans a cache until it is garbage-collected. */
  hold(cache: object, key: string): void {
    const { executor } = this.#context
    const keys = { map: key, ...mapCacheKeys(key), latch: cleaningLatch(key) }
    const clean = taskInTurns((args, signal) => executor.run(scripts.clean, { keys, args }, { signal }))
    cleanWhileUsed(this.#context, cache, { kind: 'map-cache', key }, clean)
  }
}
