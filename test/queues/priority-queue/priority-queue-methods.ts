import type { RPriorityQueue } from '../../../src/index.js'
import { dumpable, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  overloaded,
  quiet,
  truth,
  type Samples,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { list, newName, one, options, whole } from '../../contracts/takes.js'

export const element = one('a', '', 'two', '\ud83d')

const elements = list(element, ['a', 'b', 'a'], new Set(['a']), [])

/** What all priority queues have in common. */
export const priorityQueueMethods: Samples<RPriorityQueue<string>> = {
  ...expirable,
  ...quiet(dumpable),
  ...iterable,
  add: method(truth, element),
  addAll: method(truth, elements),
  offer: method(truth, element),
  poll: overloaded(anything, [takes.count], []),
  ...fromReplica({
    peek: method(anything),
    element: method(anything),
    contains: method(truth, element),
    containsAll: method(truth, elements),
    indexOf: method(number, element),
    size: method(number),
    isEmpty: method(truth),
    readAll: method(isObject),
  }),
  remove: overloaded(anything, [element], []),
  removeAll: method(truth, elements),
  retainAll: method(truth, elements),
  pollLastAndOfferFirstTo: method(anything, newName),
  move: overloaded(
    anything,
    [options({ count: whole(0, 4, 2), exactly: takes.flag }, { to: newName })],
    [takes.database],
  ),
  clear: method(nothing),
  values: iteration(takes.listScan),
}
