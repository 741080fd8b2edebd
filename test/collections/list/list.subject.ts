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
  times,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { options, value, valueList, whole } from '../../contracts/takes.js'

const index = whole(-4, 4, 0)

export const list = dataObject<RList<unknown>>({
  make: (client, name) => client.getList(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => [await made.removeAt(0), await made.set(-1, 3), await made.readAll()],
  events: {
    added: times(4, async (made) => {
      await made.add(1)
      await made.addAll([2, 3])
      await made.add(0, 0)
      await made.addAll(0, [-2, -1])
      await made.set(0, 5)
    }),
    inserted: times(3, async (made) => {
      await made.addAll([1, 2, 3])
      await made.addAfter(1, 'a')
      await made.addBefore(3, 'b')
      await made.addAfter('none', 'c')
      await made.add(1, 'd')
      await made.add('e')
    }),
    set: times(2, async (made) => {
      await made.addAll([1, 2])
      await made.set(0, 5)
      await made.fastSet(1, 5)
      await made.set(2, 5).catch(() => undefined)
    }),
    removed: times(8, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7, 8, 9])
      await made.remove(1)
      await made.removeAt(0)
      await made.removeAt(-1)
      await made.fastRemove(1)
      await made.removeAll([3, 5, 'none'])
      await made.retainAll([6, 7])
      await made.addAll(Array.from({ length: 3_000 }, (_, n) => n + 10))
      await made.retainAll([6]) // one event for very many
    }),
    trimmed: times(1, async (made) => {
      await made.addAll([1, 2, 3])
      await made.trim(0, 1)
    }),
    deleted: times(1, async (made) => {
      await made.add(1)
      await made.removeAt(0)
    }),
  },
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
    remove: method(truth, value, whole(-4, 4)),
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
