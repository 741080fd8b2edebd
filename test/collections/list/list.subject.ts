import type { RList } from '../../../src/index.js'
import { expirable, iterable, sortable } from '../../contracts/samples.js'
import {
  anything,
  asked,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  truth,
  walk,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { options, value, valueList, whole } from '../../contracts/takes.js'

const index = whole(-4, 4)

export const list = dataObject<RList<unknown>>({
  make: (client, name) => client.getList(name),
  fill: (made) => made.addAll(['a', 1, null]),
  methods: {
    ...expirable,
    ...sortable,
    ...iterable,
    add: overloaded(anything, [index, value], [value]),
    addAll: overloaded(truth, [index, valueList], [valueList]),
    addAfter: asked(number, value, value),
    addBefore: asked(number, value, value),
    ...fromReplica({
      get: asked(anything, index),
      getAll: asked(isObject, takes.list(index, [0, -1], [], [0.5])),
      contains: asked(truth, value),
      containsAll: asked(truth, valueList),
      indexOf: asked(number, value),
      lastIndexOf: asked(number, value),
      size: asked(number),
      isEmpty: asked(truth),
      readAll: asked(isObject),
      range: overloaded(isObject, [index, index], [index]),
    }),
    set: asked(anything, index, value),
    fastSet: asked(nothing, index, value),
    remove: asked(truth, value, index),
    removeAt: asked(anything, index),
    fastRemove: asked(truth, index),
    removeAll: asked(truth, valueList),
    retainAll: asked(truth, valueList),
    clear: asked(nothing),
    trim: asked(nothing, index, index),
    values: walk(takes.listWalk),
    distributedIterator: walk(
      options({
        count: takes.count,
        onInvalid: takes.onInvalid,
        signal: takes.signal,
        iteratorName: takes.iteratorName,
      }),
    ),
  },
})
