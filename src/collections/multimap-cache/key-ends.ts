import { keyOf, lifeTime } from '../../core/arguments/arguments.js'
import { multimapEnds, multimapValues } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { highwayHashName } from '../../util/hash/highway-hash.js'
import { ExpiringExecutor, type EndingKeys, type KindOfValues } from './expiring-executor.js'
import type { MultimapCacheCleaning } from './multimap-cache-cleaning.js'
import * as scripts from './multimap-cache.scripts.js'

export function endingKeys(key: string, kind: KindOfValues): EndingKeys {
  return { kind, multimap: key, prefix: multimapValues(key), ends: multimapEnds(key, kind) }
}

/** The context of a multimap whose keys end. */
export function expiringContext(
  context: ObjectContext,
  name: string,
  kind: KindOfValues,
  cleaning: MultimapCacheCleaning,
): ObjectContext {
  const keys = endingKeys(keyOf(context, name), kind)
  const executor = new ExpiringExecutor(context.executor, keys, (used) => {
    cleaning.hold(used, keys)
  })
  return { ...context, executor }
}

/** Sets when a key ends. Returns whether it is there. */
export async function expireKey(
  requests: ObjectRequests,
  kind: KindOfValues,
  field: Buffer,
  ttlMs: number,
): Promise<boolean> {
  const args = { field, hash: highwayHashName(field), ttlMs: ttlMs === 0 ? 0 : lifeTime(ttlMs) }
  return await requests.ask(scripts.expireKey, args, { ends: multimapEnds(requests.key, kind) })
}
