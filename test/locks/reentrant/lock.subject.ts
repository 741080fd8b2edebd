import type { LockHold } from '../../../src/index.js'
import { disposable } from '../../contracts/samples.js'
import { method, nothing, type Subject } from '../../contracts/subject.js'
import { leaseMs } from '../../contracts/takes.js'
import { forced, lockSubject } from '../fixtures/lock-subject.js'

export const lock = lockSubject((client, name) => client.getLock(name))

export const nonReentrantLock = lockSubject((client, name) => client.getNonReentrantLock(name))

export const lockHold: Subject<LockHold> = {
  make: (client, name) => client.getLock(name).acquire({ leaseMs: 5000 }),
  methods: { ...disposable, unlock: method(nothing), extend: method(nothing, leaseMs) },
  free: forced((client, name) => client.getLock(name)),
}
