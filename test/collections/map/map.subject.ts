import type { RMap } from '../../../src/index.js'
import { entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  quiet,
  truth,
  walk,
  type Subject,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  fn,
  howMany,
  key,
  keys,
  many,
  nullable,
  one,
  options,
  polling,
  scan,
  value,
} from '../../contracts/takes.js'

const loading = options({ keys, replaceExisting: takes.flag, parallelism: takes.whole(1, 20) })

const methods = {
  ...expirable,
  ...iterable,
  ...entryObjects(key),
  ...fromReplica({
    get: asked(anything, key),
    getAll: asked(isObject, keys),
    containsKey: asked(truth, key),
    size: asked(number),
    isEmpty: asked(truth),
    valueSize: asked(number, key),
    randomKeys: asked(isObject, howMany),
    randomEntries: asked(isObject, howMany),
    readAllKeySet: asked(isObject),
    readAllValues: asked(isObject),
    readAllEntrySet: asked(isObject),
    readAllMap: asked(isObject),
  }),
  put: asked(anything, key, value),
  fastPut: asked(truth, key, value),
  putAll: asked(nothing, takes.entries),
  putIfAbsent: asked(anything, key, value),
  fastPutIfAbsent: asked(truth, key, value),
  putIfExists: asked(anything, key, value),
  fastPutIfExists: asked(truth, key, value),
  replace: overloaded(anything, [key, value, value], [key, value]),
  fastReplace: asked(truth, key, value),
  remove: overloaded(anything, [key, value], [key]),
  fastRemove: asked(number, many(key)),
  addAndGet: asked(anything, nullable(one('counted')), one(1, -2.5, 3n)),
  compute: asked(anything, key, fn, polling),
  computeIfAbsent: asked(anything, key, fn, polling),
  computeIfPresent: asked(anything, key, fn, polling),
  merge: asked(anything, key, value, fn, polling),
  containsValue: asked(truth, value),
  clear: asked(nothing),
  keys: walk(scan),
  values: walk(scan),
  entries: walk(scan),
  loadAll: asked(nothing, loading),
  ...quiet({ flush: asked(nothing) }),
}

const behind = { ...takes.table, writeMode: 'WRITE_BEHIND', writeBehindDelayMs: 1 } as const

export const map = dataObject<RMap<string, unknown>>({
  make: (client, name) => client.getMap(name),
  fill: (made) => made.putAll({ a: 1, b: 'two' }),
  methods: { ...methods, ...quiet({ loadAll: asked(nothing, nullable(loading)) }) }, // it has no loader whatever it is given
})

export const mapWritingThrough = dataObject<RMap<string, unknown>>({
  make: (client, name) => client.getMap(name, takes.table),
  methods,
})

export const mapWritingBehind: Subject<RMap<string, unknown>> = {
  make: (client, name) => client.getMap(name, behind),
  methods,
  free: async (client, name) => {
    await client.getMap(name, behind).flush()
    await client.getMap(name).delete()
  },
}
