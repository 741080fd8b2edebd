import { stringCodec, type RTransferQueue } from '../../../src/index.js'
import { anything, dataObject, method, number, times, truth } from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { aborting, only, value, waitMs } from '../../contracts/takes.js'
import { blockingQueueMethods } from '../blocking-queue/blocking-queue-methods.js'

const {
  pollFromAny: _pollFromAny,
  pollFromAnyWithName: _pollFromAnyWithName,
  pollLastFromAnyWithName: _pollLastFromAnyWithName,
  pollFirstFromAny: _pollFirstFromAny,
  pollLastFromAny: _pollLastFromAny,
  pollLastAndOfferFirstTo: _pollLastAndOfferFirstTo,
  takeLastAndOfferFirstTo: _takeLastAndOfferFirstTo,
  ...methods
} = blockingQueueMethods

/** Options that end a transfer for which nobody comes. */
const soon = {
  get signal() {
    return AbortSignal.timeout(20)
  },
}

/** Other programs see records: a line, and the value. */
const raw = stringCodec()

export const transferQueue = dataObject<RTransferQueue<unknown>>({
  make: (client, name) => client.getTransferQueue(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => {
    const taken = made.poll(2)
    await made.tryTransfer('b', 5)
    await made.add('c')
    return [await taken, await made.take(), await made.readAll(), await made.contains('c')]
  },
  events: {
    added: times(2, async (made) => {
      await made.put(1)
      await made.tryTransfer(2, 5)
    }),
    inserted: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name, { codec: raw }).addAfter('\n1', '\na')
    }),
    set: times(1, async (made, client) => {
      await made.addAll([1, 2])
      await client.getList(made.name, { codec: raw }).fastSet(0, '\n5')
    }),
    removed: times(5, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7])
      await made.take()
      await made.poll({ waitMs: 1_000 })
      await made.poll(1)
      await made.remove(5)
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
  methods: {
    ...methods,
    transfer: method(anything, value, only(soon)),
    tryTransfer: method(truth, value, waitMs, aborting),
    hasWaitingConsumer: method(truth),
    getWaitingConsumerCount: method(number),
    move: method(truth, takes.database),
  },
})
