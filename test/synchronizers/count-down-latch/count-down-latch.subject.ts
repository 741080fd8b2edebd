import type { RCountDownLatch } from '../../../src/index.js'
import { object } from '../../contracts/samples.js'
import { method, nothing, number, overloaded, truth, type Subject } from '../../contracts/subject.js'
import { permits, polling, waitMs } from '../../contracts/takes.js'

export const countDownLatch: Subject<RCountDownLatch> = {
  make: (client, name) => client.getCountDownLatch(name),
  fill: (made) => made.trySetCount(2),
  use: async (made) => {
    await made.countDown()
    return [await made.getCount(), await made.trySetCount(5)]
  },
  methods: {
    ...object,
    await: overloaded(truth, [waitMs], [polling]),
    countDown: method(nothing),
    trySetCount: method(truth, permits),
    getCount: method(number),
  },
  free: async (client, name) => {
    const latch = client.getCountDownLatch(name)
    await latch.delete()
    await latch.trySetCount(1)
    await latch.countDown()
  },
}
