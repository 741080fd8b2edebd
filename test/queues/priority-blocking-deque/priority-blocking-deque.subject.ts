import type { RPriorityBlockingDeque } from '../../../src/index.js'
import { anything, dataObject, method, overloaded, times } from '../../contracts/subject.js'
import { aborting, howMany, orOptions, polling } from '../../contracts/takes.js'
import {
  priorityBlockingQueueMethods,
  subscription,
} from '../priority-blocking-queue/priority-blocking-queue-methods.js'
import { priorityDequeMethods } from '../priority-deque/priority-deque-methods.js'

export const priorityBlockingDeque = dataObject<RPriorityBlockingDeque<string>>({
  make: (client, name) => client.getPriorityBlockingDeque(name),
  fill: (made) => made.addAll(['b', 'a', 'two', 'a']),
  use: async (made) => [await made.takeLast(), await made.takeFirst(), await made.readAll()],
  events: {
    added: times(1, (made) => made.put('a')),
    removed: times(4, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e', 'f'])
      await made.takeFirst()
      await made.takeLast()
      await made.pollFirst({ waitMs: 1_000 })
      await made.pollLast(1)
    }),
  },
  methods: {
    ...priorityDequeMethods,
    ...priorityBlockingQueueMethods,
    takeFirst: method(anything, aborting),
    takeLast: method(anything, aborting),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    subscribeOnFirstElements: subscription,
    subscribeOnLastElements: subscription,
  },
})
