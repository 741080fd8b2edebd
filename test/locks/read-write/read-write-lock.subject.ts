import type { RReadWriteLock } from '../../../src/index.js'
import { handsOut, type Subject } from '../../contracts/subject.js'
import { lockSubject } from '../fixtures/lock-subject.js'

export const readWriteLock: Subject<RReadWriteLock> = {
  make: (client, name) => client.getReadWriteLock(name),
  methods: { readLock: handsOut(), writeLock: handsOut() },
}

export const readLock = lockSubject((client, name) => client.getReadWriteLock(name).readLock())

export const writeLock = lockSubject((client, name) => client.getReadWriteLock(name).writeLock())

export const writerFirst = lockSubject((client, name) =>
  client.getReadWriteLock(name, { prefer: 'writer' }).writeLock(),
)
