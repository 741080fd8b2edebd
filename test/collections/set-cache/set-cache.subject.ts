import type { RSetCache } from '../../../src/index.js'
import { entryObjects, expirable, iterable } from '../../contracts/samples.js'
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
  times,
  truth,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  howMany,
  leaseMs,
  list,
  many,
  one,
  options,
  signal,
  value,
  valueList,
  whole,
} from '../../contracts/takes.js'

const names = list(one('b'), ['b'], ['set', 'b'], [])
const life = options({ ttlMs: leaseMs })

export const setCache = dataObject<RSetCache<unknown>>({
  make: (client, name) => client.getSetCache(name),
  fill: (made) => made.addAll(['a', { b: 1 }], { ttlMs: 600_000 }),
  use: async (made) => [await made.add('a'), await made.remove({ b: 1 }), await made.size()],
  events: {
    added: times(2, async (made) => {
      await made.add('a')
      await made.add('a', { ttlMs: 600_000 })
    }),
    removed: times(2, async (made) => {
      await made.addAll(['a', 'b', 'c'])
      await made.remove('a')
      await made.remove('a')
      await made.retainAll(['c'])
    }),
    stored: times(3, async (made) => {
      await made.addAll(['a', 'b'])
      await made.union([made.name])
      await made.intersection([made.name])
      await made.diff([made.name])
      await made.delete()
    }),
    deleted: times(1, async (made) => {
      await made.add('a')
      await made.remove('a')
    }),
  },
  methods: {
    ...expirable,
    ...iterable,
    ...entryObjects(value),
    addListener: method(
      isObject,
      one('deleted', 'added', 'valueExpired', 'put'),
      takes.listener,
      options({ signal }),
    ),
    add: method(truth, value, life),
    addAll: method(truth, valueList, life),
    addAllCounted: method(number, valueList, life),
    addIfAbsent: method(truth, value, life),
    addIfExists: method(truth, value, life),
    addIfLess: method(truth, value, life),
    addIfGreater: method(truth, value, life),
    addAllIfAbsent: method(number, valueList, life),
    addAllIfExist: method(number, valueList, life),
    addAllIfLess: method(number, valueList, life),
    addAllIfGreater: method(number, valueList, life),
    tryAdd: method(truth, many(value)),
    tryAddAll: method(truth, valueList, life),
    ...fromReplica({
      contains: method(truth, value),
      containsEach: method(Array.isArray, valueList),
      containsAll: method(truth, valueList),
      size: method(number),
      isExists: method(truth),
      isEmpty: method(truth),
      readAll: method(Array.isArray),
    }),
    ...fromMaster({
      random: method(anything, howMany),
      readUnion: method(Array.isArray, names),
      readDiff: method(Array.isArray, names),
      readIntersection: method(Array.isArray, names),
      countIntersection: method(number, names, options({ limit: whole(0, 2) })),
    }),
    remove: method(truth, value),
    removeAll: method(truth, valueList),
    removeAllCounted: method(number, valueList),
    retainAll: method(truth, valueList),
    union: method(number, names),
    diff: method(number, names),
    intersection: method(number, names),
    clear: method(nothing),
    values: iteration(takes.scan),
    distributedIterator: iteration(takes.distributedScan),
  },
})
