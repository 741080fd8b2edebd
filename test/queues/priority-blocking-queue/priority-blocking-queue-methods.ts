import type { RPriorityBlockingQueue } from '../../../src/index.js'
import {
  anything,
  isObject,
  method,
  nothing,
  overloaded,
  sync,
  type Samples,
} from '../../contracts/subject.js'
import {
  aborting,
  howMany,
  listener,
  newName,
  options,
  orOptions,
  polling,
  signal,
} from '../../contracts/takes.js'
import { element, priorityQueueMethods } from '../priority-queue/priority-queue-methods.js'

export const subscription = { ...sync(isObject, listener, options({ signal })), asksNothing: true }

/** What both priority queues have in common whose callers wait. */
export const priorityBlockingQueueMethods: Samples<RPriorityBlockingQueue<string>> = {
  ...priorityQueueMethods,
  put: method(nothing, element),
  take: method(anything, aborting),
  poll: overloaded(anything, [orOptions(howMany), polling], [polling]),
  pollLastAndOfferFirstTo: method(anything, newName, polling),
  takeLastAndOfferFirstTo: method(anything, newName, aborting),
  drainTo: method(isObject, howMany),
  subscribeOnElements: subscription,
  consume: { ...sync(isObject, aborting), asksNothing: true },
}
