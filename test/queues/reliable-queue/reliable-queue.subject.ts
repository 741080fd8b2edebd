import type { RReliableQueue } from '../../../src/index.js'
import { dumpable, object } from '../../contracts/samples.js'
import {
  anything,
  dataObject,
  fromReplica,
  isObject,
  method,
  number,
  overloaded,
  quiet,
  sync,
  text,
  texts,
  times,
  truth,
} from '../../contracts/subject.js'
import {
  fn,
  howMany,
  leaseMs,
  list,
  nullable,
  one,
  options,
  orOptions,
  signal,
  value,
  valueList,
  waitMs,
  whole,
} from '../../contracts/takes.js'

const id = one('1764000000000000', '1764000000000001', '1')
const delivering = { visibilityMs: leaseMs, signal }
const polling = options({ ...delivering, waitMs })
const offering = {
  delayMs: whole(-1, 30, 0),
  priority: whole(-2, 2),
  group: one('a', 'b'),
  headers: one({ kind: 'fast' }, {}),
  maxDeliveries: whole(0, 3),
  waitMs,
  signal,
}
const offer = options({
  ...offering,
  dedup: options({ ttlMs: whole(0, 100), mode: one('drop', 'replace') }, { id: one('x', 'y') }),
})

export const reliableQueue = dataObject<RReliableQueue<unknown>>({
  make: (client, name) => client.getReliableQueue(name),
  readsAtMaster: true,
  fill: async (made) => {
    await made.offerAll(['a', 1, null])
  },
  use: async (made) => {
    const [first, second] = await made.poll(2)
    await first?.ack()
    await second?.reject()
    await made.offer('b', { priority: 1 })
    const waiting = await made.peek(5)
    return [first?.value, second?.value, waiting.map((each) => each.value), await made.counts()]
  },
  events: {
    deleted: times(2, async (made) => {
      await made.offer('a')
      await (await made.poll())?.ack()
      await made.offer('b')
      await made.delete()
    }),
  },
  methods: {
    ...object,
    ...quiet(dumpable),
    offer: method(text, value, offer),
    offerOnce: method(text, value, offer),
    offerAll: method(texts, valueList, options(offering)),
    poll: overloaded(anything, [orOptions(howMany), polling], [polling]),
    consume: { ...sync(isObject, options({ ...delivering, concurrency: whole(0, 3) })), asksNothing: true },
    process: {
      ...sync(isObject, fn, options({ ...delivering, concurrency: whole(0, 3), retryDelayMs: leaseMs })),
      asksNothing: true,
    },
    remove: method(truth, id),
    cancel: method(truth, id, options({ reason: one('why'), graceMs: waitMs })),
    clear: method(number),
    clearDeadLetters: method(number),
    redrive: method(number, nullable(list(id, ['1764000000000000'], []))),
    ...fromReplica({
      size: method(number),
      isEmpty: method(truth),
      get: method(anything, id),
      list: method(anything, one('ready', 'dead', 'none'), options({ offset: whole(-1, 3), count: howMany })),
      counts: method(isObject),
      peek: method(isObject, howMany),
      deadLetters: method(isObject, options({ offset: whole(-1, 3), count: howMany })),
    }),
  },
})
