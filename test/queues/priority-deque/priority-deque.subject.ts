import type { RPriorityDeque } from '../../../src/index.js'
import { dataObject, times } from '../../contracts/subject.js'
import { priorityDequeMethods } from './priority-deque-methods.js'

export const priorityDeque = dataObject<RPriorityDeque<string>>({
  make: (client, name) => client.getPriorityDeque(name),
  fill: (made) => made.addAll(['b', 'a', 'two', 'a']),
  use: async (made) => [await made.pollLast(), await made.removeLastOccurrence('a'), await made.readAll()],
  events: {
    added: times(1, (made) => made.addAll(['a', 'd'])),
    removed: times(9, async (made) => {
      await made.addAll(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
      await made.pollFirst()
      await made.pollFirst(1)
      await made.pollLast()
      await made.pollLast(1)
      await made.removeFirst()
      await made.removeLast()
      await made.pop()
      await made.removeFirstOccurrence('e')
      await made.removeLastOccurrence('f')
      await made.removeLastOccurrence('none')
    }),
  },
  methods: priorityDequeMethods,
})
