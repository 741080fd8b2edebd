import type { RMapCache } from '../../../src/index.js'
import { dumpable, entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  dataObject,
  fromMaster,
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
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  fn,
  howMany,
  key,
  keys,
  leaseMs,
  many,
  nullable,
  one,
  options,
  scan,
  signal,
  value,
  waitMs,
} from '../../contracts/takes.js'

const life = options({ ttlMs: leaseMs, maxIdleMs: leaseMs })
const computing = options({ waitMs, signal, ttlMs: leaseMs, maxIdleMs: leaseMs })
const maxSize = takes.whole(0, 4)
const mode = options({ mode: one('LRU', 'LFU', 'FIFO') })

export const mapCache = dataObject<RMapCache<string, unknown>>({
  make: (client, name) => client.getMapCache(name),
  fill: (made) => made.putAll({ a: 'one', b: 2 }, { ttlMs: 600_000 }),
  use: async (made) => [await made.put('a', 3), await made.remove('b'), await made.size()],
  events: {
    deleted: times(1, async (made) => {
      await made.put('a', 1)
      await made.remove('a')
    }),
  },
  methods: {
    ...fromMaster(expirable),
    ...quiet(dumpable),
    ...iterable,
    ...entryObjects(key),
    addListener: method(
      isObject,
      one('deleted', 'expired', 'entryCreated', 'put'),
      takes.listener,
      options({ signal }),
    ),
    remainTimeToLive: overloaded(number, [key], []),
    ...fromReplica({
      getWithTTLOnly: method(anything, key),
      getAllWithTTLOnly: method(isObject, keys),
    }),
    get: method(anything, key),
    getAll: method(isObject, keys),
    containsKey: method(truth, key),
    containsValue: method(truth, value),
    size: method(number),
    isEmpty: method(truth),
    valueSize: method(number, key),
    randomKeys: method(isObject, howMany),
    randomEntries: method(isObject, howMany),
    readAllKeySet: method(isObject),
    readAllValues: method(isObject),
    readAllEntrySet: method(isObject),
    readAllMap: method(isObject),
    put: method(anything, key, value, life),
    fastPut: method(truth, key, value, life),
    putAll: method(nothing, takes.entries, life),
    putIfAbsent: method(anything, key, value, life),
    fastPutIfAbsent: method(truth, key, value, life),
    putIfExists: method(anything, key, value),
    fastPutIfExists: method(truth, key, value),
    replace: overloaded(anything, [key, value, value], [key, value]),
    fastReplace: method(truth, key, value),
    remove: overloaded(anything, [key, value], [key]),
    fastRemove: method(number, many(key)),
    addAndGet: method(anything, nullable(one('counted')), one(1, -2.5, 3n)),
    compute: method(anything, key, fn, computing),
    computeIfAbsent: method(anything, key, fn, computing),
    computeIfPresent: method(anything, key, fn, computing),
    merge: method(anything, key, value, fn, computing),
    getWithLease: method(isObject, key, leaseMs),
    putWithLease: method(truth, key, value, one('token', 'other', ''), life),
    removeWithLease: method(truth, key),
    expireEntry: method(truth, key, life),
    expireEntries: method(number, keys, life),
    expireEntryIfNotSet: method(truth, key, life),
    expireEntriesIfNotSet: method(number, keys, life),
    setMaxSize: method(nothing, maxSize, mode),
    trySetMaxSize: method(truth, maxSize, mode),
    clear: method(nothing),
    keys: iteration(scan),
    values: iteration(scan),
    entries: iteration(scan),
  },
})
