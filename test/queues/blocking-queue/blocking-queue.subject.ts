import type { RBlockingQueue } from '../../../src/index.js'
import { dataObject, times } from '../../contracts/subject.js'
import { blockingQueueMethods } from './blocking-queue-methods.js'

export const blockingQueue = dataObject<RBlockingQueue<unknown>>({
  make: (client, name) => client.getBlockingQueue(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => [await made.take(), await made.poll(1), await made.readAll()],
  events: {
    added: times(2, async (made) => {
      await made.put(1)
      await made.put(2)
    }),
    inserted: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).addAfter(1, 'a')
    }),
    set: times(1, async (made, client) => {
      await made.addAll([1, 2])
      await client.getList(made.name).fastSet(0, 5)
    }),
    removed: times(7, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7, 8])
      await made.take()
      await made.poll({ waitMs: 1_000 })
      await made.poll(1)
      await made.pollFromAny([])
      await made.takeLastAndOfferFirstTo(made.name)
      await made.drainTo(2)
    }),
    trimmed: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).trim(0, 1)
    }),
    deleted: times(1, async (made) => {
      await made.put(1)
      await made.take()
    }),
  },
  methods: blockingQueueMethods,
})
