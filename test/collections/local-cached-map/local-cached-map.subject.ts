import type { RLocalCachedMap } from '../../../src/index.js'
import { disposable, entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  overloaded,
  quiet,
  times,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { fn, howMany, key, keys, many, nullable, one, polling, scan, value } from '../../contracts/takes.js'

export const localCachedMap: Subject<RLocalCachedMap<string, unknown>> = {
  make: (client, name) => client.getLocalCachedMap(name),
  free: (client, name) => client.getLocalCachedMap(name, { syncStrategy: 'NONE' }).delete(),
  fill: (made) => made.putAll({ a: 'one', b: 2 }),
  use: async (made) => [await made.put('a', 3), await made.remove('b'), await made.size()],
  events: {
    put: times(4, async (made) => {
      await made.put('a', 1)
      await made.putAll({ b: 1, c: 2 })
      await made.addAndGet('a', 1)
      await made.fastPutIfAbsent('a', 1)
      await made.compute('d', () => 1)
    }),
    removed: times(2, async (made) => {
      await made.putAll({ a: 1, b: 2, c: 3 })
      await made.remove('a')
      await made.remove('b', 1)
      await made.fastRemove('b', 'c')
    }),
    deleted: times(1, async (made) => {
      await made.put('a', 1)
      await made.remove('a')
    }),
  },
  methods: {
    ...expirable,
    ...iterable,
    ...disposable,
    ...entryObjects(key),
    get: method(anything, key),
    getAll: method(isObject, keys),
    containsKey: method(truth, key),
    ...fromReplica({
      size: method(number),
      isEmpty: method(truth),
      valueSize: method(number, key),
      randomKeys: method(isObject, howMany),
      randomEntries: method(isObject, howMany),
      readAllKeySet: method(isObject),
      readAllValues: method(isObject),
      readAllEntrySet: method(isObject),
      readAllMap: method(isObject),
    }),
    put: method(anything, key, value),
    fastPut: method(truth, key, value),
    putAll: method(nothing, takes.entries),
    putIfAbsent: method(anything, key, value),
    fastPutIfAbsent: method(truth, key, value),
    putIfExists: method(anything, key, value),
    fastPutIfExists: method(truth, key, value),
    replace: overloaded(anything, [key, value, value], [key, value]),
    fastReplace: method(truth, key, value),
    remove: overloaded(anything, [key, value], [key]),
    fastRemove: method(number, many(key)),
    addAndGet: method(anything, nullable(one('counted')), one(1, -2.5, 3n)),
    compute: method(anything, key, fn, polling),
    computeIfAbsent: method(anything, key, fn, polling),
    computeIfPresent: method(anything, key, fn, polling),
    merge: method(anything, key, value, fn, polling),
    containsValue: method(truth, value),
    clear: method(nothing),
    keys: iteration(scan),
    values: iteration(scan),
    entries: iteration(scan),
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
