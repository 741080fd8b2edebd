import type { RBlockingDeque } from '../../../src/index.js'
import {
  anything,
  dataObject,
  isObject,
  method,
  nothing,
  overloaded,
  sync,
  times,
} from '../../contracts/subject.js'
import {
  aborting,
  howMany,
  listener,
  newName,
  one,
  options,
  orOptions,
  polling,
  signal,
  value,
  waitMs,
} from '../../contracts/takes.js'
import { blockingQueueMethods, names } from '../blocking-queue/blocking-queue-methods.js'
import { deque } from '../deque/deque.subject.js'

const subscription = { ...sync(isObject, listener, options({ signal })), asksNothing: true }
const oneElement = { waitMs, signal }
const poll = one('last', 'first')

export const blockingDeque = dataObject<RBlockingDeque<unknown>>({
  make: (client, name) => client.getBlockingDeque(name),
  fill: (made) => made.addAll(['a', 1, null]),
  use: async (made) => [await made.takeLast(), await made.takeFirst(), await made.readAll()],
  events: {
    added: times(2, async (made) => {
      await made.putFirst(1)
      await made.putLast(2)
    }),
    inserted: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).addBefore(1, 'a')
    }),
    set: times(1, async (made, client) => {
      await made.addAll([1, 2])
      await client.getList(made.name).fastSet(0, 5)
    }),
    removed: times(5, async (made) => {
      await made.addAll([1, 2, 3, 4, 5, 6, 7])
      await made.takeFirst()
      await made.takeLast()
      await made.pollFirst({ waitMs: 1_000 })
      await made.pollLast(1)
      await made.move({ poll: 'first', addLastTo: made.name, waitMs: 1_000 })
    }),
    trimmed: times(1, async (made, client) => {
      await made.addAll([1, 2, 3])
      await client.getList(made.name).trim(0, 1)
    }),
    deleted: times(1, async (made) => {
      await made.putFirst(1)
      await made.takeLast()
    }),
  },
  methods: {
    ...deque.methods,
    ...blockingQueueMethods,
    putFirst: method(nothing, value),
    putLast: method(nothing, value),
    takeFirst: method(anything, aborting),
    takeLast: method(anything, aborting),
    pollFirst: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollLast: overloaded(anything, [orOptions(howMany), polling], [polling]),
    pollFirstFromAny: overloaded(anything, [names, orOptions(howMany), polling], [names, polling]),
    pollLastFromAny: overloaded(anything, [names, orOptions(howMany), polling], [names, polling]),
    move: overloaded(
      anything,
      [options(oneElement, { poll, addFirstTo: newName })],
      [options(oneElement, { poll, addLastTo: newName })],
      ...blockingQueueMethods.move.forms,
    ),
    subscribeOnFirstElements: subscription,
    subscribeOnLastElements: subscription,
  },
})
