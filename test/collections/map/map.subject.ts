import type { RMap } from '../../../src/index.js'
import { entryObjects, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  quiet,
  truth,
  iteration,
  times,
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
    get: method(anything, key),
    getAll: method(isObject, keys),
    containsKey: method(truth, key),
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
  loadAll: method(nothing, loading),
  ...quiet({ flush: method(nothing) }),
}

const events: Subject<RMap<string, unknown>>['events'] = {
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
}

const behind = { ...takes.table, writeMode: 'WRITE_BEHIND', writeBehindDelayMs: 1 } as const

export const map = dataObject<RMap<string, unknown>>({
  make: (client, name) => client.getMap(name),
  fill: (made) => made.putAll({ a: 'one', b: 2 }),
  use: async (made) => [await made.put('a', 3), await made.remove('b'), await made.size()],
  events,
  methods: { ...methods, ...quiet({ loadAll: method(nothing, nullable(loading)) }) }, // it has no loader whatever it is given
})

export const mapWritingThrough = dataObject<RMap<string, unknown>>({
  make: (client, name) => client.getMap(name, takes.table),
  events,
  methods,
})

export const mapWritingBehind: Subject<RMap<string, unknown>> = {
  make: (client, name) => client.getMap(name, behind),
  events: {
    put: times(1, (made) => made.put('a', 1)),
    removed: times(1, async (made) => {
      await made.put('a', 1)
      await made.remove('a')
    }),
  },
  methods,
  free: async (client, name) => {
    await client.getMap(name, behind).flush()
    await client.getMap(name).delete()
  },
}
