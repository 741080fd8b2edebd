import { lockSubject } from '../fixtures/lock-subject.js'

export const valueLock = lockSubject((client, name) => client.getMultiLock(name, ['a', 'b']))
