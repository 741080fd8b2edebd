import { setTimeout as sleep } from 'node:timers/promises'
import type { ReliableSubscription, RReliableTopic } from '../../../src/index.js'
import { disposable, dumpable, expirable } from '../../contracts/samples.js'
import {
  dataObject,
  isObject,
  method,
  nothing,
  number,
  overloaded,
  quiet,
  sync,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import { fn, listener, name, one, options, signal, value, whole } from '../../contracts/takes.js'

const from = one('beginning', 'now', 0, new Date(0), '0-1', new Date(NaN), 'yesterday')
const listening = options({
  signal,
  subscriber: one('billing', '', 'ioredisson:mine'),
  from,
  maxDeliveries: whole(0, 3),
  retryDelayMs: one(1, 0, -1, NaN),
  deadLetterTopic: name,
})
const event = one('error', 'gap', 'dropped')

export const reliableTopic = dataObject<RReliableTopic<unknown>>({
  make: (client, topic) => client.getReliableTopic(topic),
  readsAtMaster: true,
  fill: (made) => made.publish('two'),
  use: async (made) => [await made.publish('three'), await made.size(), await made.countSubscribers()],
  methods: {
    ...expirable,
    ...quiet(dumpable),
    publish: method(number, value),
    ...quiet({
      addListener: overloaded(
        isObject,
        [one('deleted', 'expired', 'set'), listener, options({ signal })],
        [fn, listening],
      ),
      removeListener: method(nothing, listener),
      removeAllListeners: method(nothing),
    }),
    countListeners: sync(number),
    countSubscribers: method(number),
    size: method(number),
    seek: method(truth, one('billing', ''), from),
    removeSubscriber: method(truth, one('billing', '')),
    setHistory: method(nothing, whole(-1, 1_000)),
    getHistory: method(number),
  },
})

export const reliableSubscription: Subject<ReliableSubscription> = {
  make: async (client, topic) => {
    const subscription = await client.getReliableTopic(topic).addListener(() => undefined)
    await sleep(300) // until it has looked for messages, and waits for them
    return subscription
  },
  methods: {
    ...disposable,
    on: sync(isObject, event, listener),
    off: sync(isObject, event, listener),
    unsubscribe: method(nothing),
  },
  free: async (client, topic) => {
    const made = client.getReliableTopic(topic)
    await made.removeAllListeners()
    await made.delete()
  },
}
