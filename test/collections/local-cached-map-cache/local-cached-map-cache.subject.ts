import type { RLocalCachedMapCache } from '../../../src/index.js'
import { disposable } from '../../contracts/samples.js'
import { isObject, method, nothing, quiet, truth, type Subject } from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { mapCache } from '../map-cache/map-cache.subject.js'

export const localCachedMapCache: Subject<RLocalCachedMapCache<string, unknown>> = {
  make: (client, name) => client.getLocalCachedMapCache(name),
  free: (client, name) => client.getLocalCachedMapCache(name, { syncStrategy: 'NONE' }).delete(),
  fill: (made) => made.putAll({ a: 'one', b: 2 }, { ttlMs: 600_000 }),
  use: async (made) => [await made.put('a', 3), await made.remove('b'), await made.size()],
  events: mapCache.events ?? {},
  methods: {
    ...mapCache.methods,
    ...disposable,
    preloadCache: method(nothing, takes.whole(1, 5_000)),
    clearLocalCache: method(truth),
    ...quiet({
      cachedKeySet: method(isObject),
      cachedValues: method(isObject),
      cachedEntrySet: method(isObject),
      getCachedMap: method(isObject),
    }),
    destroy: method(nothing),
  },
}
