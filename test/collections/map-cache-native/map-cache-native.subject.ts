import type { RMapCacheNative } from '../../../src/index.js'
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
import { knowsEndsOfFields } from './ends-of-fields.js'

const life = options({ ttlMs: leaseMs })
const end = options({}, { ttlMs: leaseMs })
const computing = options({ waitMs, signal, ttlMs: leaseMs })

const timesLeft = { remainTimeToLiveEach: method(isObject, keys) }

/** With a server that does not know the ends of fields, calls that set or read them are refused. */
export const mapCacheNative = dataObject<RMapCacheNative<string, unknown>>({
  make: (client, name) => client.getMapCacheNative(name),
  fill: (made) => made.putAll({ a: 'one', b: 2 }),
  use: async (made) => [await made.put('a', 3), await made.remove('b'), await made.size()],
  events: {
    put: times(2, async (made) => {
      await made.put('a', 1)
      await made.putAll({ b: 1, c: 2 })
    }),
    removed: times(1, async (made) => {
      await made.putAll({ a: 1, b: 2 })
      await made.remove('a')
    }),
    entryExpired: times(knowsEndsOfFields ? 1 : 0, async (made) => {
      await made.putAll({ stays: 1 })
      if (knowsEndsOfFields) await made.put('over', 1, { ttlMs: 1 })
    }),
    deleted: times(1, async (made) => {
      await made.put('a', 1)
      await made.remove('a')
    }),
  },
  methods: {
    ...expirable,
    ...dumpable,
    ...iterable,
    ...entryObjects(key),
    ...fromReplica({
      get: method(anything, key),
      getAll: method(isObject, keys),
      containsKey: method(truth, key),
      size: method(number),
      isEmpty: method(truth),
      valueSize: method(number, key),
      readAllKeySet: method(isObject),
      readAllValues: method(isObject),
      readAllEntrySet: method(isObject),
      readAllMap: method(isObject),
      remainTimeToLive: overloaded(number, [key], []),
    }),
    ...fromMaster({
      randomKeys: method(isObject, howMany),
      randomEntries: method(isObject, howMany),
    }),
    ...(knowsEndsOfFields ? fromReplica(timesLeft) : timesLeft),
    addListener: method(
      isObject,
      one('deleted', 'expired', 'put', 'removed', 'entryExpired', 'entryCreated'),
      takes.listener,
      options({ signal }),
    ),
    clearExpire: overloaded(truth, [key], []),
    clearExpireEach: method(isObject, keys),
    containsValue: method(truth, value),
    put: method(anything, key, value, life),
    fastPut: method(truth, key, value, life),
    putAll: method(nothing, takes.entries, life),
    putIfAbsent: method(anything, key, value, life),
    fastPutIfAbsent: method(truth, key, value, life),
    putIfExists: method(anything, key, value, life),
    fastPutIfExists: method(truth, key, value),
    putIfAllKeysExist: method(truth, takes.entries, life),
    putIfAllKeysAbsent: method(truth, takes.entries, life),
    replace: overloaded(anything, [key, value, value], [key, value]),
    fastReplace: method(truth, key, value),
    remove: overloaded(anything, [key, value], [key]),
    fastRemove: method(number, many(key)),
    addAndGet: method(anything, nullable(one('counted')), one(1, -2.5, 3n)),
    compute: method(anything, key, fn, computing),
    computeIfAbsent: method(anything, key, fn, computing),
    computeIfPresent: method(anything, key, fn, computing),
    merge: method(anything, key, value, fn, computing),
    expireEntry: method(truth, key, end),
    expireEntries: method(number, keys, end),
    expireEntryIfNotSet: method(truth, key, end),
    expireEntriesIfNotSet: method(number, keys, end),
    expireEntryIfGreater: method(truth, key, end),
    expireEntriesIfGreater: method(number, keys, end),
    expireEntryIfLess: method(truth, key, end),
    expireEntriesIfLess: method(number, keys, end),
    clear: method(nothing),
    keys: iteration(scan),
    values: iteration(scan),
    entries: iteration(scan),
  },
})
