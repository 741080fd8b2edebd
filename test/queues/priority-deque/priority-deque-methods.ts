import type { RPriorityDeque } from '../../../src/index.js'
import {
  anything,
  fromReplica,
  iteration,
  method,
  overloaded,
  truth,
  type Samples,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { element, priorityQueueMethods } from '../priority-queue/priority-queue-methods.js'

/** What both priority deques have in common. */
export const priorityDequeMethods: Samples<RPriorityDeque<string>> = {
  ...priorityQueueMethods,
  pollFirst: overloaded(anything, [takes.count], []),
  pollLast: overloaded(anything, [takes.count], []),
  ...fromReplica({
    peekFirst: method(anything),
    peekLast: method(anything),
    getFirst: method(anything),
    getLast: method(anything),
  }),
  removeFirst: method(anything),
  removeLast: method(anything),
  pop: method(anything),
  removeFirstOccurrence: method(truth, element),
  removeLastOccurrence: method(truth, element),
  descendingIterator: iteration(),
}
