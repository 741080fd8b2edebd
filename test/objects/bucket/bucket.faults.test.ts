import type { RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'

const bucketOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getBucket(name, { exactlyOnce })
const one = (client: RedissonClient, name: string) => bucketOf(client, name).set('one')
const none = (client: RedissonClient, name: string) => bucketOf(client, name).delete()

const calls: readonly CountingCall[] = [
  {
    what: 'getAndSet',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndSet('two'),
    answer: 'one',
    states: ['one', 'two'],
  },
  {
    what: 'getAndSet with a time to live',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndSet('two', 60_000),
    answer: 'one',
    states: ['one', 'two'],
  },
  {
    what: 'getAndDelete',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndDelete(),
    answer: 'one',
    states: ['one', undefined],
  },
  {
    what: 'getAndDelete of a large value',
    prepare: (client, name) => bucketOf(client, name).set(LARGE),
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndDelete(),
    answer: LARGE,
    states: [LARGE, undefined],
  },
  {
    what: 'setIfAbsent',
    prepare: none,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).setIfAbsent('two'),
    answer: true,
    states: [undefined, 'two'],
  },
  {
    what: 'compareAndSet',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).compareAndSet('one', 'two'),
    answer: true,
    states: ['one', 'two'],
  },
  {
    what: 'compareAndSet of what is absent',
    prepare: none,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).compareAndSet(undefined, 'two'),
    answer: true,
    states: [undefined, 'two'],
  },
  {
    what: 'compareAndDelete',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).compareAndDelete('one'),
    answer: true,
    states: ['one', undefined],
  },
]

testLostReplies('a bucket', calls, (client, name) => bucketOf(client, name).get())

const another = (client: RedissonClient, name: string) => bucketOf(client, name).set('another', 70_000)
const passing = (client: RedissonClient, name: string) => bucketOf(client, name).set('one', 60_000)

const repeated: readonly RepeatedCall[] = [
  {
    what: 'set',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).set('two'),
    between: another,
    answer: undefined,
  },
  {
    what: 'setAndKeepTTL',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).setAndKeepTTL('two'),
    between: another,
    answer: undefined,
  },
  {
    what: 'setIfAbsent',
    prepare: none,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).setIfAbsent('two'),
    between: another,
    answer: true,
    rejects: true,
  },
  {
    what: 'setIfAbsent, of what another removes',
    prepare: none,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).setIfAbsent('two'),
    between: none,
    answer: true,
    rejects: true,
  },
  {
    what: 'setIfExists',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).setIfExists('two'),
    between: none,
    answer: true,
    rejects: true,
  },
  {
    what: 'compareAndSet of what is absent',
    prepare: none,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).compareAndSet(undefined, 'two'),
    between: none,
    answer: true,
    rejects: true,
  },
  {
    what: 'getAndExpire',
    prepare: one,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndExpire(50_000),
    between: one,
    answer: 'one',
  },
  {
    what: 'getAndExpire at a time',
    prepare: one,
    call: (client, name, exactlyOnce) =>
      bucketOf(client, name, exactlyOnce).getAndExpire(new Date(Date.now() + 50_000)),
    between: one,
    answer: 'one',
  },
  {
    what: 'getAndClearExpire',
    prepare: passing,
    call: (client, name, exactlyOnce) => bucketOf(client, name, exactlyOnce).getAndClearExpire(),
    between: another,
    answer: 'one',
  },
  {
    what: 'set of several',
    prepare: one,
    call: (client, name, exactlyOnce) => client.getBuckets({ exactlyOnce }).set({ [name]: 'two' }),
    between: another,
    answer: undefined,
  },
  {
    what: 'trySet of several',
    prepare: none,
    call: (client, name, exactlyOnce) => client.getBuckets({ exactlyOnce }).trySet({ [name]: 'two' }),
    between: another,
    answer: true,
    rejects: true,
  },
  {
    what: 'trySet of several, of what another removes',
    prepare: none,
    call: (client, name, exactlyOnce) => client.getBuckets({ exactlyOnce }).trySet({ [name]: 'two' }),
    between: none,
    answer: true,
    rejects: true,
  },
  {
    what: 'setIfAllKeysAbsent of several, of what another removes',
    prepare: none,
    call: (client, name, exactlyOnce) =>
      client.getBuckets({ exactlyOnce }).setIfAllKeysAbsent({ [name]: 'two' }),
    between: none,
    answer: true,
    rejects: true,
  },
  {
    what: 'setIfAllKeysAbsent of several',
    prepare: none,
    call: (client, name, exactlyOnce) =>
      client.getBuckets({ exactlyOnce }).setIfAllKeysAbsent({ [name]: 'two' }, { expire: 60_000 }),
    between: another,
    answer: true,
    rejects: true,
  },
  {
    what: 'setIfAllKeysExist of several',
    prepare: one,
    call: (client, name, exactlyOnce) =>
      client.getBuckets({ exactlyOnce }).setIfAllKeysExist({ [name]: 'two' }),
    between: another,
    answer: true,
  },
]

testOvertakenCalls('a bucket', repeated, async (client, name) => [
  await bucketOf(client, name).get(),
  await client.getBucket(name).getExpireTime(),
])
