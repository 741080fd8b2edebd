import type { RedissonClient, RMultiLock } from '../../../src/index.js'
import { lock } from '../../contracts/samples.js'
import type { Subject } from '../../contracts/subject.js'
import { takeAndRelease } from '../fixtures/lock-subject.js'

/** Members are plain locks, which can be forced. */
const membersOf = (client: RedissonClient, name: string) =>
  ['1', '2', '3'].map((each) => client.getLock(`${name}${each}`))

/** Groups have the methods of a lock that their public type leaves out as well, which refuse. */
const group = (kind: 'getMultiLock' | 'getRedLock'): Subject<RMultiLock> => ({
  make: (client, name) => client[kind](...membersOf(client, name)),
  methods: lock,
  free: async (client, name) => {
    await Promise.all(membersOf(client, name).map((member) => member.forceUnlock()))
    await takeAndRelease(client[kind](...membersOf(client, name)))
  },
})

export const multiLock = group('getMultiLock')
export const redLock = group('getRedLock')
