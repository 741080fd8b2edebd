import type { RSet } from '../../../src/index.js'
import { entryObjects, expirable, iterable, sortable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  dataObject,
  fromReplica,
  nothing,
  number,
  overloaded,
  truth,
  walk,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { howMany, list, many, one, options, value, valueList, whole } from '../../contracts/takes.js'

const names = list(one('b'), ['b'], ['set', 'b'], [])

export const set = dataObject<RSet<unknown>>({
  make: (client, name) => client.getSet(name),
  fill: (made) => made.addAll(['a', { b: 1 }]),
  methods: {
    ...expirable,
    ...sortable,
    ...iterable,
    ...entryObjects(value),
    move: overloaded(truth, [one('renamed', 1), value], [takes.database]),
    add: asked(truth, value),
    addAll: asked(truth, valueList),
    addAllCounted: asked(number, valueList),
    tryAdd: asked(truth, many(value)),
    ...fromReplica({
      contains: asked(truth, value),
      containsEach: asked(Array.isArray, valueList),
      containsAll: asked(truth, valueList),
      random: asked(anything, howMany),
      readUnion: asked(Array.isArray, names),
      readDiff: asked(Array.isArray, names),
      readIntersection: asked(Array.isArray, names),
      countIntersection: asked(number, names, options({ limit: whole(0, 2) })),
      size: asked(number),
      isEmpty: asked(truth),
      readAll: asked(Array.isArray),
    }),
    remove: asked(truth, value),
    removeAll: asked(truth, valueList),
    removeAllCounted: asked(number, valueList),
    retainAll: asked(truth, valueList),
    removeRandom: asked(anything, howMany),
    union: asked(number, names),
    diff: asked(number, names),
    intersection: asked(number, names),
    clear: asked(nothing),
    values: walk(takes.scan),
    distributedIterator: walk(takes.distributedScan),
  },
})
