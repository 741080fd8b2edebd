import { lockSubject } from '../fixtures/lock-subject.js'

export const spinLock = lockSubject((client, name) => client.getSpinLock(name))
