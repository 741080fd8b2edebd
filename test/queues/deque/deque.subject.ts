import type { RDeque } from '../../../src/index.js'
import {
  anything,
  dataObject,
  fromReplica,
  iteration,
  method,
  nothing,
  number,
  overloaded,
  times,
  truth,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { many, newName, one, options, value } from '../../contracts/takes.js'
import { queueMethods } from '../queue/queue-methods.js'

const values = many(value)
const poll = one('last', 'first')

export const deque = dataObject<RDeque<unknown>>({
  make: (client, name) => client.getDeque(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => [await made.pollLast(), await made.addFirst('b', 'c'), await made.readAll()],
  events: {
    added: times(8, async (made) => {
      await made.addFirstIfExists(0)
      await made.addFirst(1, 2)
      await made.addLast(3, 4)
      await made.addFirstIfExists(5)
      await made.addLastIfExists(6)
      await made.offerFirst(7)
      await made.offerLast(8)
      await made.push(9)
      await made.move({ poll: 'last', addFirstTo: made.name })
    }),
    inserted: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).addBefore(1, 'a')
    }),
    set: times(1, async (made, client) => {
      await made.addAll([1, 2])
      await client.getList(made.name).fastSet(0, 5)
    }),
    removed: times(10, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
      await made.pollFirst()
      await made.pollFirst(1)
      await made.pollLast()
      await made.pollLast(1)
      await made.removeFirst()
      await made.removeLast()
      await made.pop()
      await made.removeFirstOccurrence(5)
      await made.removeLastOccurrence(6)
      await made.removeLastOccurrence('none')
      await made.move({ poll: 'first', addLastTo: made.name })
    }),
    trimmed: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).trim(0, 1)
    }),
    deleted: times(1, async (made) => {
      await made.addFirst(1)
      await made.pollLast()
    }),
  },
  methods: {
    ...queueMethods,
    addFirst: method(number, values),
    addLast: method(number, values),
    addFirstIfExists: method(number, values),
    addLastIfExists: method(number, values),
    offerFirst: method(truth, value),
    offerLast: method(truth, value),
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
    push: method(nothing, value),
    pop: method(anything),
    removeFirstOccurrence: method(truth, value),
    removeLastOccurrence: method(truth, value),
    move: overloaded(
      anything,
      [options({}, { poll, addFirstTo: newName })],
      [options({}, { poll, addLastTo: newName })],
      ...queueMethods.move.forms,
    ),
    descendingIterator: iteration(),
  },
})
