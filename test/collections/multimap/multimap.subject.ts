import type {
  RListMultimap,
  RListMultimapValues,
  RSetMultimap,
  RSetMultimapValues,
} from '../../../src/index.js'
import { dumpable, entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  asked,
  dataObject,
  fromMaster,
  fromReplica,
  handsOut,
  isObject,
  nothing,
  number,
  quiet,
  truth,
  walk,
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
    getAll: asked(Array.isArray, key),
    containsKey: asked(truth, key),
    containsEntry: asked(truth, key, value),
    readAllKeySet: asked(isObject),
  }),
  put: asked(truth, key, value),
  putAll: asked(truth, key, valueList),
  remove: asked(truth, key, value),
  removeAll: asked(Array.isArray, key),
  replaceValues: asked(Array.isArray, key, valueList),
  fastReplaceValues: asked(nothing, key, valueList),
  fastRemove: asked(number, many(key)),
  fastRemoveValue: asked(number, many(value)),
  containsValue: asked(truth, value),
  size: asked(number),
  keySize: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  keys: walk(scan),
  values: walk(scan),
  entries: walk(scan),
}

const values = ['a', { b: 1 }]

export const setMultimap = dataObject<RSetMultimap<string, unknown>>({
  make: (client, name) => client.getSetMultimap(name),
  fill: (made) => made.putAll('a', values),
  methods,
})

export const listMultimap = dataObject<RListMultimap<string, unknown>>({
  make: (client, name) => client.getListMultimap(name),
  fill: (made) => made.putAll('a', values),
  methods,
})

export const setMultimapValues: Subject<RSetMultimapValues<unknown>> = {
  make: (client, name) => client.getSetMultimap(name).get('a'),
  takesSignal: true,
  fill: (made) => made.addAll(values),
  free: (client, name) => client.getSetMultimap(name).delete(),
  methods: { ...set.methods, ...ofMultimap, move: asked(truth, newName, value) },
}

export const listMultimapValues: Subject<RListMultimapValues<unknown>> = {
  make: (client, name) => client.getListMultimap(name).get('a'),
  takesSignal: true,
  fill: (made) => made.addAll(values),
  free: (client, name) => client.getListMultimap(name).delete(),
  methods: { ...list.methods, ...ofMultimap },
}
