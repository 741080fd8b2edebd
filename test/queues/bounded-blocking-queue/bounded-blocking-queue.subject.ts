import type { RBoundedBlockingQueue } from '../../../src/index.js'
import { dumpable } from '../../contracts/samples.js'
import {
  dataObject,
  fromReplica,
  method,
  nothing,
  number,
  quiet,
  times,
  truth,
} from '../../contracts/subject.js'
import { aborting, polling, value, valueList, whole } from '../../contracts/takes.js'
import { blockingQueueMethods } from '../blocking-queue/blocking-queue-methods.js'

export const boundedBlockingQueue = dataObject<RBoundedBlockingQueue<unknown>>({
  make: (client, name) => client.getBoundedBlockingQueue(name),
  fill: async (made) => {
    await made.trySetCapacity(4)
    await made.addAll(['a', 1, null])
  },
  use: async (made) => [
    await made.take(),
    await made.poll(1),
    await made.remainingCapacity(),
    await made.offer('b'),
    await made.readAll(),
  ],
  events: {
    added: times(4, async (made) => {
      await made.add(1).catch(() => undefined) // it has no capacity
      await made.trySetCapacity(4)
      await made.add(1)
      await made.addAll([2, 3])
      await made.offer(4)
      await made.offer(5) // it is full
      await made.move({ to: made.name })
    }),
    inserted: times(1, async (made, client) => {
      await client.getList(made.name).addAll([1, 2])
      await client.getList(made.name).addAfter(1, 3)
    }),
    set: times(1, async (made, client) => {
      await client.getList(made.name).add(1)
      await client.getList(made.name).fastSet(0, 5)
    }),
    removed: times(7, async (made) => {
      await made.trySetCapacity(9)
      await made.addAll([1, 2, 3, 4, 5, 6, 7, 8, 9])
      await made.take()
      await made.poll({ waitMs: 1_000 })
      await made.remove()
      await made.remove(5)
      await made.removeAll([6, 'none'])
      await made.drainTo(2)
    }),
    trimmed: times(1, async (made, client) => {
      await client.getList(made.name).addAll([1, 2, 3])
      await client.getList(made.name).trim(0, 1)
    }),
    deleted: times(2, async (made) => {
      await made.trySetCapacity(2)
      await made.put(1)
      await made.clear()
      await made.put(2)
      await made.take()
    }),
  },
  methods: {
    ...blockingQueueMethods,
    ...quiet(dumpable),
    trySetCapacity: method(truth, whole(0, 4)),
    add: method(truth, value),
    addAll: method(truth, valueList),
    offer: method(truth, value, polling),
    put: method(nothing, value, aborting),
    ...fromReplica({ remainingCapacity: method(number) }),
  },
})
