import type { RPriorityBlockingQueue } from '../../../src/index.js'
import { dataObject, times } from '../../contracts/subject.js'
import { priorityBlockingQueueMethods } from './priority-blocking-queue-methods.js'

export const priorityBlockingQueue = dataObject<RPriorityBlockingQueue<string>>({
  make: (client, name) => client.getPriorityBlockingQueue(name),
  fill: (made) => made.addAll(['b', 'a', 'two', 'a']),
  use: async (made) => [await made.take(), await made.poll(2), await made.readAll()],
  events: {
    added: times(1, (made) => made.put('a')),
    removed: times(4, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e', 'f'])
      await made.take()
      await made.poll({ waitMs: 1_000 })
      await made.poll(2)
      await made.drainTo(1)
    }),
  },
  methods: priorityBlockingQueueMethods,
})
