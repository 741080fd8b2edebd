import type { RStream } from '../../../src/index.js'
import { dumpable, expirable } from '../../contracts/samples.js'
import {
  dataObject,
  fromMaster,
  fromReplica,
  isObject,
  iteration,
  method,
  nothing,
  number,
  orUndefined,
  text,
  times,
  truth,
} from '../../contracts/subject.js'
import * as takes from '../../contracts/takes.js'
import { entries, flag, howMany, many, one, options, signal, whole } from '../../contracts/takes.js'

const id = one('1-1', '2', '3-7')
const group = one('group', 'other')
const consumer = one('consumer', 'other')
const idleMs = whole(0, 5, 0)
const waitMs = whole(-1, 30, 0)
const range = { from: id, fromInclusive: flag, to: id, toInclusive: flag }
const claiming = options({}, { idleMs, ids: takes.list(id, ['1-1']) })
const autoClaiming = options({ from: id, count: whole(1, 4) }, { idleMs })
const trim = options({}, { maxLen: howMany })

export const stream = dataObject<RStream<string, unknown>>({
  make: (client, name) => client.getStream(name),
  fill: async (made) => {
    const isThere = () => undefined // the messages would have other ids
    await made.add({ one: 'a', two: 1 }, { id: '1-1' }).catch(isThere)
    await made.add({ three: null }, { id: '2-1' }).catch(isThere)
    await made.createGroup('group', { from: '0' })
    await made.readGroup('group', 'consumer', { count: 1 }).catch(() => undefined) // the codec may not read it
  },
  use: async (made) => [
    await made.range(),
    await made.readGroup('group', 'consumer'),
    await made.ack('group', '1-1', '2-1'),
    await made.add({ four: 4 }, { id: '4-1', maxLen: 2, exact: true }),
    await made.read({ after: '1-1' }),
    await made.trim({ maxLen: 1 }),
    await made.size(),
  ],
  events: {
    added: times(2, async (made) => {
      await made.add({ a: 1 })
      await made.add({ a: 1 }, { noMakeStream: true })
    }),
    removed: times(1, async (made) => {
      await made.remove(await made.add({ a: 1 }))
      await made.remove('1-1')
    }),
    trimmed: times(2, async (made) => {
      await made.add({ a: 1 })
      await made.add({ a: 1 }, { maxLen: 1, exact: true })
      await made.trim({ maxLen: 0 })
      await made.trim({ maxLen: 0 })
    }),
    groupCreated: times(1, async (made) => {
      await made.createGroup('g', { makeStream: true })
      await made.createGroup('g')
    }),
    groupRemoved: times(1, async (made) => {
      await made.createGroup('g', { makeStream: true })
      await made.removeGroup('g')
      await made.removeGroup('g')
    }),
    consumerCreated: times(1, async (made) => {
      await made.createGroup('g', { makeStream: true })
      await made.createConsumer('g', 'c')
      await made.createConsumer('g', 'c')
    }),
    consumerRemoved: times(1, async (made) => {
      await made.createGroup('g', { makeStream: true })
      await made.createConsumer('g', 'c')
      await made.removeConsumer('g', 'c')
    }),
  },
  methods: {
    ...expirable,
    ...dumpable,
    add: {
      ...method(
        text,
        entries,
        options({ id: one('9-1', '9-*'), noMakeStream: flag, maxLen: howMany, exact: flag }),
      ),
      mayBeRefusedByRedis: true, // for an id that is too small
    },
    trim: method(number, trim),
    trimNonStrict: method(number, options({ limit: whole(1, 9) }, { minId: id })),
    remove: method(number, many(id)),
    ...fromReplica({
      size: method(number),
      range: method(isObject, options({ ...range, count: howMany })),
      rangeReversed: method(isObject, options({ ...range, count: howMany })),
      read: method(isObject, options({ after: id, count: howMany, waitMs, signal })),
    }),
    readGroup: method(
      isObject,
      group,
      consumer,
      options({ after: one('>', '0', '1-1'), count: howMany, noAck: flag, waitMs, signal }),
    ),
    createGroup: method(truth, group, options({ from: one('0', '$', '1-1'), makeStream: flag })),
    removeGroup: method(truth, group),
    createConsumer: method(truth, group, consumer),
    removeConsumer: method(number, group, consumer),
    updateGroupMessageId: method(nothing, group, one('0', '$', '1-1')),
    ack: method(number, group, many(id)),
    ...fromMaster({
      getInfo: method(orUndefined(isObject)),
      listGroups: method(isObject),
      listConsumers: method(isObject, group),
      getPendingInfo: method(isObject, group),
      listPending: method(isObject, group, options({ ...range, consumer, idleMs, count: whole(1, 4) })),
      pendingRange: method(isObject, group, options({ ...range, consumer, idleMs, count: whole(1, 4) })),
    }),
    claim: method(isObject, group, consumer, claiming),
    fastClaim: method(isObject, group, consumer, claiming),
    autoClaim: method(isObject, group, consumer, autoClaiming),
    fastAutoClaim: method(isObject, group, consumer, autoClaiming),
    consumer: iteration(
      group,
      options({
        name: consumer,
        from: one('0', '$', '1-1'),
        claimIdleMs: whole(100, 9_999),
        maxDeliveries: whole(1, 4),
        deadLetter: takes.newName,
        batch: whole(1, 4),
        concurrency: whole(1, 4),
        signal,
      }),
    ),
  },
})
