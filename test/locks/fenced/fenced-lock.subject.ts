import type { RFencedLock } from '../../../src/index.js'
import { leaseForms, lock, lockForms } from '../../contracts/samples.js'
import { method, number, orUndefined, overloaded, type Subject } from '../../contracts/subject.js'
import { forced } from '../fixtures/lock-subject.js'

export const fencedLock: Subject<RFencedLock> = {
  make: (client, name) => client.getFencedLock(name),
  methods: {
    ...lock,
    lockAndGetToken: overloaded(number, ...leaseForms),
    tryLockAndGetToken: overloaded(orUndefined(number), ...lockForms),
    getToken: method(number),
  },
  free: forced((client, name) => client.getFencedLock(name)),
}
