import type { NodeContender } from './contender.js'
import { ioredisson } from './ioredisson.js'

/** This library's plain lock, where its fair lock is measured. */
export const plainLocks: NodeContender = {
  ...ioredisson,
  name: 'RLock',
  settings: 'the plain lock of this library in the place of another kind',

  async open(servers, options) {
    const session = await ioredisson.open(servers, options)
    const { lock } = session.takes
    return { ...session, takes: lock ? { 'fair-lock': lock } : {} }
  },
}

/** All flows in one process, where several processes are measured. */
export const inOneProcess: NodeContender = {
  ...ioredisson,
  name: 'in one process',
  settings: 'this library, with the flows of all processes in one',
  processes: 1,
}
