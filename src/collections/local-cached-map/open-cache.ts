import { keyOf } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { LocalCache, type LocalCacheDeps } from './cache/local-cache.js'
import type { Confirmations } from './confirmations.js'

/** Makes the local cache of a map. It does not refer to the object, which can be garbage-collected. */
export function openCache(
  context: ObjectContext,
  name: string,
  settings: LocalCacheDeps['settings'],
  confirmations: Confirmations,
): { readonly cache: LocalCache; readonly map: string } {
  const map = keyOf(context, name)
  const confirm = (requestId: string, database: number) => {
    confirmations.confirm(map, requestId, database)
  }
  return { map, cache: new LocalCache({ context, map, settings, confirm }) }
}
