import { describe } from 'vitest'
import type { LockKind } from '../../contracts/lock-fixture.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { single, slottedTopologies } from '../../support/topologies.js'

/** The counter stays for good, so that tokens grow for good. */
const keeps = /^redisson_lock_token:/

const kind = (topology: LockKind['topology']): LockKind => ({
  topology,
  getLock: (client, name) => client.getFencedLock(name),
  kindName: 'fenced',
  parts: topology === single ? 'all' : 'servers in deep',
  keeps,
})

describe.each(slottedTopologies)('a fenced lock ($kind)', (topology) => {
  lockContract(kind(topology))
})

describe('who holds a fenced lock', () => {
  ownershipContract(kind(single))
})
