import type { RQueue } from '../../../src/index.js'
import { dataObject, times } from '../../contracts/subject.js'
import { queueMethods } from './queue-methods.js'

export const queue = dataObject<RQueue<unknown>>({
  make: (client, name) => client.getQueue(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => [await made.poll(), await made.remove(1), await made.offer('b'), await made.readAll()],
  events: {
    added: times(4, async (made) => {
      await made.add(1)
      await made.addAll([2, 3])
      await made.offer(4)
      await made.move({ to: made.name })
    }),
    inserted: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).addAfter(1, 'a')
    }),
    set: times(1, async (made, client) => {
      await made.addAll([1, 2])
      await client.getList(made.name).fastSet(0, 5)
    }),
    removed: times(9, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7, 8, 9, 'last'])
      await made.poll()
      await made.poll(2)
      await made.remove()
      await made.remove(5)
      await made.removeAll([6, 'none'])
      await made.retainAll([7, 8, 'last'])
      await made.pollLastAndOfferFirstTo(made.name)
      await made.move({ to: made.name })
    }),
    trimmed: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).trim(0, 1)
    }),
    deleted: times(1, async (made) => {
      await made.add(1)
      await made.poll()
    }),
  },
  methods: queueMethods,
})
