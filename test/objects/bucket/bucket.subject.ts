import type { RBucket } from '../../../src/index.js'
import { bucketMethods } from '../../contracts/samples.js'
import { dataObject, times } from '../../contracts/subject.js'
import { value } from '../../contracts/takes.js'

export const bucket = dataObject<RBucket<unknown>>({
  make: (client, name) => client.getBucket(name),
  fill: (made) => made.set('one'),
  use: async (made) => {
    await made.setAndKeepTTL('two')
    return [await made.get(), await made.size()]
  },
  isOfAnyType: true,
  events: {
    set: times(4, async (made, client) => {
      await made.setIfAbsent(1)
      await made.compareAndSet(1, 2)
      await made.getAndSet(3, 60_000)
      await client.getBuckets().set({ [made.name]: 4 })
    }),
  },
  methods: bucketMethods(value),
})
