import { lockSubject } from '../fixtures/lock-subject.js'

export const fairLock = lockSubject((client, name) => client.getFairLock(name))

export const nonReentrantFairLock = lockSubject((client, name) => client.getNonReentrantFairLock(name))
