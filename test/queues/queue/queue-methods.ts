import type { RQueue } from '../../../src/index.js'
import { expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  overloaded,
  truth,
  type Samples,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { newName, options, value, valueList, whole } from '../../contracts/takes.js'

/** What a queue and a deque have in common. */
export const queueMethods: Samples<RQueue<unknown>> = {
  ...expirable,
  ...iterable,
  add: method(truth, value),
  addAll: method(truth, valueList),
  offer: method(truth, value),
  poll: overloaded(anything, [takes.count], []),
  ...fromReplica({
    peek: method(anything),
    element: method(anything),
    contains: method(truth, value),
    containsAll: method(truth, valueList),
    indexOf: method(number, value),
    size: method(number),
    isEmpty: method(truth),
    readAll: method(isObject),
  }),
  remove: overloaded(anything, [value], []),
  removeAll: method(truth, valueList),
  retainAll: method(truth, valueList),
  pollLastAndOfferFirstTo: method(anything, newName),
  move: overloaded(
    anything,
    [options({ count: whole(0, 4, 2), exactly: takes.flag }, { to: newName })],
    [takes.database],
  ),
  clear: method(nothing),
  values: iteration(takes.listScan),
}
