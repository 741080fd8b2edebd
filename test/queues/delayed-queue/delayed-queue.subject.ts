import type { RDelayedQueue } from '../../../src/index.js'
import { disposable, dumpable, expirable, iterable } from '../../contracts/samples.js'
import {
  anything,
  dataObject,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  overloaded,
  quiet,
  times,
  truth,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { howMany, newName, value, valueList, whole } from '../../contracts/takes.js'

/** So long that nothing gets to the destination meanwhile. */
const LONG_MS = 600_000

export const delayedQueue = dataObject<RDelayedQueue<unknown>>({
  make: (client, name) => client.getDelayedQueue(client.getQueue(name)),
  isBesideItsName: true,
  worksByItself: true,
  fill: async (made) => {
    for (const element of ['a', 1, null]) await made.offer(element, LONG_MS)
  },
  use: async (made) => {
    const polled = [await made.poll(), await made.poll(1)]
    await made.offer('b', LONG_MS)
    return [polled, await made.remove(null), await made.readAll(), await made.size()]
  },
  events: {
    deleted: times(2, async (made) => {
      await made.offer(1, LONG_MS)
      await made.poll()
      await made.offer(2, LONG_MS)
      await made.clear()
    }),
  },
  methods: {
    ...expirable,
    ...quiet(dumpable),
    ...disposable,
    ...iterable,
    values: iteration(takes.listScan),
    offer: method(nothing, value, whole(LONG_MS, LONG_MS + 9)),
    poll: overloaded(anything, [howMany], []),
    remove: overloaded(anything, [value], []),
    removeAll: method(truth, valueList),
    retainAll: method(truth, valueList),
    pollLastAndOfferFirstTo: method(anything, newName),
    clear: method(nothing),
    ...quiet({ destroy: method(nothing), ...disposable }),
    ...fromReplica({
      peek: method(anything),
      element: method(anything),
      contains: method(truth, value),
      containsAll: method(truth, valueList),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(isObject),
    }),
  },
})
