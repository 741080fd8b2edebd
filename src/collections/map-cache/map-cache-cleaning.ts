import { mapCacheKeys } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { EvictionTask } from '../../eviction/eviction-service.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { cleanWhileUsed } from '../shared/cleaning.js'
import * as scripts from './map-cache.scripts.js'

/** For how long other clients do not clean the same cache, at most. */
const LONGEST_LATCH_SECONDS = 30

/** Removes entries that have expired from the map caches of one client. */
export class MapCacheCleaning {
  readonly #context: ObjectContext

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Cleans a cache until it is garbage-collected. */
  hold(cache: object, key: string): void {
    const { executor } = this.#context
    const clean: EvictionTask = async (signal, { limit, delaySeconds }) => {
      const { ttl, idle, access, options, latch } = mapCacheKeys(key)
      const keys = { map: key, ttl, idle, access, options, latch }
      const args = { most: limit, latchSeconds: Math.min(delaySeconds, LONGEST_LATCH_SECONDS) }
      const count = await executor.run(scripts.clean, { keys, args }, { signal }).catch(noneOfOthers)
      return count < 0 ? undefined : count
    }
    cleanWhileUsed(this.#context, cache, key, clean)
  }
}

/** Where another object has the name by now, nothing is to be cleaned. */
function noneOfOthers(error: unknown): number {
  if (isRedissonError(error, 'WRONG_TYPE')) return 0
  throw error
}
