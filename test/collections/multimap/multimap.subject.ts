import type {
  RListMultimap,
  RListMultimapValues,
  RSetMultimap,
  RSetMultimapValues,
} from '../../../src/index.js'
import { dumpable, entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  method,
  dataObject,
  fromMaster,
  fromReplica,
  handsOut,
  isObject,
  nothing,
  number,
  quiet,
  truth,
  iteration,
  times,
  type Subject,
} from '../../contracts/subject.js'
import { key, many, newName, scan, value, valueList } from '../../contracts/takes.js'
import { list } from '../list/list.subject.js'
import { set } from '../set/set.subject.js'

const { expire, expireIfSet, expireIfNotSet, expireIfGreater, expireIfLess, clearExpire, ...rest } = expirable
const { move, rename, renamenx, restore, restoreAndReplace } = rest
const { isExists, sizeInMemory, remainTimeToLive, getExpireTime } = rest

/** What the values of one key refuse. */
const ofMultimap = quiet({
  ...{ expire, expireIfSet, expireIfNotSet, expireIfGreater, expireIfLess, clearExpire },
  ...{ move, rename, renamenx, restore, restoreAndReplace },
})

const methods = {
  ...expirable,
  ...fromMaster({ isExists, sizeInMemory, remainTimeToLive, getExpireTime }), // which are about several keys
  ...quiet(dumpable),
  ...iterable,
  ...entryObjects(key),
  get: handsOut(key),
  ...fromReplica({
    getAll: method(Array.isArray, key),
    containsKey: method(truth, key),
    containsEntry: method(truth, key, value),
    readAllKeySet: method(isObject),
  }),
  put: method(truth, key, value),
  putAll: method(truth, key, valueList),
  remove: method(truth, key, value),
  removeAll: method(Array.isArray, key),
  replaceValues: method(Array.isArray, key, valueList),
  fastReplaceValues: method(nothing, key, valueList),
  fastRemove: method(number, many(key)),
  fastRemoveValue: method(number, many(value)),
  containsValue: method(truth, value),
  size: method(number),
  keySize: method(number),
  isEmpty: method(truth),
  clear: method(nothing),
  keys: iteration(scan),
  values: iteration(scan),
  entries: iteration(scan),
}

type Multimap = RSetMultimap<string, unknown> | RListMultimap<string, unknown>

const fill = async (made: Multimap) => {
  await made.putAll('a', values)
  await made.put('b', 3)
}

const use = async (made: Multimap) => [
  await made.put('a', 'a'),
  await made.remove('b', 3),
  await made.put('c', 4),
  await made.size(),
  await made.keySize(),
  new Set(await made.getAll('a')),
]

const events: Subject<Multimap>['events'] = {
  put: times(2, async (made) => {
    await made.put('a', 1)
    await made.put('a', 2)
    await made.fastReplaceValues('a', [3])
    await made.putAll('b', [1, 2])
    await made.delete()
  }),
  removed: times(3, async (made) => {
    for (const key of ['a', 'b', 'c', 'd']) await made.putAll(key, [1, 2])
    await made.remove('a', 1)
    await made.remove('a', 2)
    await made.removeAll('b')
    await made.fastRemove('c')
    await made.delete()
  }),
}

const values = ['a', { b: 1 }]

export const setMultimap = dataObject<RSetMultimap<string, unknown>>({
  make: (client, name) => client.getSetMultimap(name),
  fill,
  use,
  events,
  methods,
})

export const listMultimap = dataObject<RListMultimap<string, unknown>>({
  make: (client, name) => client.getListMultimap(name),
  fill,
  use,
  events,
  methods,
})

export const setMultimapValues: Subject<RSetMultimapValues<unknown>> = {
  make: (client, name) => client.getSetMultimap(name).get('a'),
  takesSignal: true,
  fill: (made) => made.addAll(values),
  free: (client, name) => client.getSetMultimap(name).delete(),
  events: set.events ?? {},
  methods: { ...set.methods, ...ofMultimap, move: method(truth, newName, value) },
}

export const listMultimapValues: Subject<RListMultimapValues<unknown>> = {
  make: (client, name) => client.getListMultimap(name).get('a'),
  takesSignal: true,
  fill: (made) => made.addAll(values),
  free: (client, name) => client.getListMultimap(name).delete(),
  events: list.events ?? {},
  methods: { ...list.methods, ...ofMultimap },
}
