import type { RRingBuffer } from '../../../src/index.js'
import { dumpable, expirable, iterable } from '../../contracts/samples.js'
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
import { howMany, newName, options, value, valueList, whole } from '../../contracts/takes.js'

export const ringBuffer = dataObject<RRingBuffer<unknown>>({
  make: (client, name) => client.getRingBuffer(name),
  fill: async (made) => {
    await made.trySetCapacity(4)
    await made.addAll(['a', 1, null])
  },
  use: async (made) => {
    const polled = [await made.poll(4), await made.capacity()]
    await made.addAll([1, 2, 3, 4, 5])
    await made.setCapacity(3)
    return [polled, await made.add(6), await made.readAll(), await made.remainingCapacity()]
  },
  events: {
    added: times(3, async (made) => {
      await made.add(1).catch(() => undefined) // it has no capacity
      await made.trySetCapacity(2)
      await made.add(1)
      await made.addAll([2, 3])
      await made.offer(4)
      await made.setCapacity(1)
    }),
    inserted: times(1, async (made, client) => {
      await client.getList(made.name).addAll([1, 2])
      await client.getList(made.name).addAfter(1, 3)
    }),
    set: times(1, async (made, client) => {
      await client.getList(made.name).add(1)
      await client.getList(made.name).set(0, 2)
    }),
    removed: times(3, async (made) => {
      await made.trySetCapacity(4)
      await made.addAll([1, 2, 3, 4])
      await made.poll()
      await made.remove()
      await made.remove(3)
      await made.remove('none')
    }),
    trimmed: times(2, async (made) => {
      await made.trySetCapacity(3)
      await made.addAll([1, 2, 3, 4])
      await made.setCapacity(5)
      await made.setCapacity(1)
    }),
    deleted: times(2, async (made) => {
      await made.trySetCapacity(2)
      await made.add(1)
      await made.clear()
      await made.add(2)
      await made.delete() // both of its keys
    }),
  },
  methods: {
    ...expirable,
    ...quiet(dumpable),
    ...iterable,
    values: iteration(takes.listScan),
    trySetCapacity: method(truth, whole(0, 4)),
    setCapacity: method(nothing, whole(0, 4)),
    add: method(truth, value),
    addAll: method(truth, valueList),
    offer: method(truth, value),
    poll: overloaded(anything, [howMany], []),
    remove: overloaded(anything, [value], []),
    removeAll: method(truth, valueList),
    retainAll: method(truth, valueList),
    pollLastAndOfferFirstTo: method(anything, newName),
    move: overloaded(
      anything,
      [options({ count: howMany, exactly: takes.flag }, { to: newName })],
      [takes.database],
    ),
    clear: method(nothing),
    ...fromReplica({
      capacity: method(number),
      remainingCapacity: method(number),
      readNewest: method(isObject, howMany),
      readOldest: method(isObject, howMany),
      peek: method(anything),
      peekLast: method(anything),
      element: method(anything),
      contains: method(truth, value),
      containsAll: method(truth, valueList),
      indexOf: method(number, value),
      size: method(number),
      isEmpty: method(truth),
      readAll: method(isObject),
    }),
  },
})
