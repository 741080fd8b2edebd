import { cacheMethods, nearCacheMethods, nearMethods } from './cache-methods.js'
import { blockingMethods, listMethods, setMethods, sortedMethods } from './collection-methods.js'
import { adderMethods, doubleMethods, idMethods, longMethods, scoreMethods } from './counter-methods.js'
import type { DataMethod, DataMethods } from './method.js'
import { queueMethods } from './queue-methods.js'
import { bucketMethods, bucketsMethods, mapMethods } from './register-methods.js'
import { streamMethods } from './stream-methods.js'
import { topicMethods } from './topic-methods.js'

/** The methods of every kind of data object that programs call. */
export const DATA_METHODS = {
  long: longMethods,
  double: doubleMethods,
  adder: adderMethods,
  ids: idMethods,
  bucket: bucketMethods,
  buckets: bucketsMethods,
  map: mapMethods,
  scores: scoreMethods,
  set: setMethods,
  list: listMethods,
  sorted: sortedMethods,
  blocking: blockingMethods,
  messages: queueMethods,
  stream: streamMethods,
  topic: topicMethods,
  near: nearMethods,
  nearCache: nearCacheMethods,
  cache: cacheMethods,
} as const satisfies Readonly<Record<string, DataMethods>>

export type DataKind = keyof typeof DATA_METHODS

export const DATA_KINDS = Object.keys(DATA_METHODS) as DataKind[]

/** The method that reads all of an object at the end; an adder has none, as its parts are those of processes. */
export const READS_ALL: Readonly<Record<Exclude<DataKind, 'adder'>, string>> = {
  long: 'get',
  double: 'get',
  ids: 'nextId',
  bucket: 'get',
  buckets: 'readAll',
  map: 'readAllMap',
  scores: 'readAllEntries',
  set: 'readAll',
  list: 'readAll',
  sorted: 'readAllEntries',
  blocking: 'readAll',
  messages: 'readAll',
  stream: 'readAll',
  topic: 'readAll',
  near: 'readAllMap',
  nearCache: 'readAllMap',
  cache: 'getMany',
}

export function methodOf(kind: string, name: string): DataMethod {
  const methods: Readonly<Record<string, DataMethods>> = DATA_METHODS
  const method = methods[kind]?.[name]
  if (method === undefined) throw new RangeError(`Expected a method of a data object, got ${kind}.${name}`)
  return method
}
