import type { RPriorityQueue } from '../../../src/index.js'
import { dataObject, times } from '../../contracts/subject.js'
import { priorityQueueMethods } from './priority-queue-methods.js'

export const priorityQueue = dataObject<RPriorityQueue<string>>({
  make: (client, name) => client.getPriorityQueue(name),
  fill: (made) => made.addAll(['b', 'a', 'two', 'a']),
  use: async (made) => [
    await made.add('aa'),
    await made.poll(),
    await made.remove('two'),
    await made.readAll(),
  ],
  events: {
    added: times(4, async (made) => {
      await made.add('c')
      await made.addAll(['a', 'd'])
      await made.offer('a')
    }),
    removed: times(6, async (made) => {
      await made.addAll(['a', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'last'])
      await made.poll()
      await made.poll(2)
      await made.remove()
      await made.remove('d')
      await made.remove('none')
      await made.removeAll(['e', 'none'])
      await made.retainAll(['g', 'h', 'last'])
    }),
  },
  methods: priorityQueueMethods,
})
