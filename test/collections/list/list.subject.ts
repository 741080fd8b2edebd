import type { RList } from '../../../src/index.js'
import { expirable, iterable, sortable } from '../../contracts/samples.js'
import {
  anything,
  method,
  dataObject,
  fromReplica,
  isObject,
  nothing,
  number,
  overloaded,
  truth,
  iteration,
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
    addAfter: method(number, value, value),
    addBefore: method(number, value, value),
    ...fromReplica({
      get: method(anything, index),
      getAll: method(isObject, takes.list(index, [0, -1], [], [0.5])),
      contains: method(truth, value),
      containsAll: method(truth, valueList),
      indexOf: method(number, value),
      lastIndexOf: method(number, value),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(isObject),
      range: overloaded(isObject, [index, index], [index]),
    }),
    set: method(anything, index, value),
    fastSet: method(nothing, index, value),
    remove: method(truth, value, index),
    removeAt: method(anything, index),
    fastRemove: method(truth, index),
    removeAll: method(truth, valueList),
    retainAll: method(truth, valueList),
    clear: method(nothing),
    trim: method(nothing, index, index),
    values: iteration(takes.listScan),
    distributedIterator: iteration(
      options({
        count: takes.count,
        onInvalid: takes.onInvalid,
        signal: takes.signal,
        iteratorName: takes.iteratorName,
      }),
    ),
  },
})
