import type { RBlockingQueue } from '../../../src/index.js'
import {
  anything,
  isObject,
  method,
  nothing,
  overloaded,
  sync,
  type Samples,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import {
  aborting,
  flag,
  howMany,
  list,
  listener,
  newName,
  one,
  options,
  orOptions,
  polling,
  signal,
  value,
  waitMs,
  whole,
} from '../../contracts/takes.js'
import { queueMethods } from '../queue/queue-methods.js'

export const names = list(one('a'), ['a'], ['a', 'b'])

/** What a blocking queue and a blocking deque have in common. */
export const blockingQueueMethods: Samples<RBlockingQueue<unknown>> = {
  ...queueMethods,
  put: method(nothing, value),
  take: method(anything, aborting),
  poll: overloaded(anything, [orOptions(howMany), polling], [polling]),
  pollFromAny: method(anything, names, polling),
  pollFromAnyWithName: method(anything, names, polling),
  pollLastFromAnyWithName: method(anything, names, polling),
  pollFirstFromAny: method(isObject, names, howMany, polling),
  pollLastFromAny: method(isObject, names, howMany, polling),
  pollLastAndOfferFirstTo: method(anything, newName, polling),
  takeLastAndOfferFirstTo: method(anything, newName, aborting),
  move: overloaded(
    anything,
    [options({ count: whole(0, 4, 2), exactly: flag, waitMs, signal }, { to: newName })],
    [takes.database],
  ),
  drainTo: method(isObject, howMany),
  subscribeOnElements: { ...sync(isObject, listener, options({ signal })), asksNothing: true },
  consume: { ...sync(isObject, aborting), asksNothing: true },
}
