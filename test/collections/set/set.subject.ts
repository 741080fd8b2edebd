import type { RSet } from '../../../src/index.js'
import { entryObjects, expirable, iterable, sortable } from '../../contracts/samples.js'
import {
  anything,
  method,
  dataObject,
  fromReplica,
  nothing,
  number,
  overloaded,
  truth,
  iteration,
  times,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { howMany, list, many, one, options, value, valueList, whole } from '../../contracts/takes.js'

const names = list(one('b'), ['b'], ['set', 'b'], [])

export const set = dataObject<RSet<unknown>>({
  make: (client, name) => client.getSet(name),
  fill: (made) => made.addAll(['a', { b: 1 }]),
  use: async (made) => [await made.add('a'), await made.remove({ b: 1 }), await made.size()],
  events: {
    added: times(3, async (made) => {
      await made.add('a')
      await made.addAll(['a', 'b', 'c'])
      await made.add('c')
      await made.tryAdd('d', 'e')
    }),
    removed: times(3, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e'])
      await made.remove('a')
      await made.removeAll(['a', 'b', 'c'])
      await made.removeRandom()
      await made.retainAll(['z'])
    }),
    removedRandom: times(2, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e'])
      await made.removeRandom()
      await made.removeRandom(2)
      await made.clear()
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
      await made.removeRandom(1)
    }),
  },
  methods: {
    ...expirable,
    ...sortable,
    ...iterable,
    ...entryObjects(value),
    move: overloaded(truth, [one('renamed', 1), value], [takes.database]),
    add: method(truth, value),
    addAll: method(truth, valueList),
    addAllCounted: method(number, valueList),
    tryAdd: method(truth, many(value)),
    ...fromReplica({
      contains: method(truth, value),
      containsEach: method(Array.isArray, valueList),
      containsAll: method(truth, valueList),
      random: method(anything, howMany),
      readUnion: method(Array.isArray, names),
      readDiff: method(Array.isArray, names),
      readIntersection: method(Array.isArray, names),
      countIntersection: method(number, names, options({ limit: whole(0, 2) })),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(Array.isArray),
    }),
    remove: method(truth, value),
    removeAll: method(truth, valueList),
    removeAllCounted: method(number, valueList),
    retainAll: method(truth, valueList),
    removeRandom: method(anything, howMany),
    union: method(number, names),
    diff: method(number, names),
    intersection: method(number, names),
    clear: method(nothing),
    values: iteration(takes.scan),
    distributedIterator: iteration(takes.distributedScan),
  },
})
