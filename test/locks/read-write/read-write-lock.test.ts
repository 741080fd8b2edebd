import { describe } from 'vitest'
import { asPlain, asWriter, type LockKind } from '../../contracts/lock-fixture.js'
import { lockContract } from '../../contracts/lock.contract.js'
import { slottedTopologies } from '../../support/topologies.js'
import { kinds } from '../fixtures/kinds.js'

describe.each(slottedTopologies)('a read-write lock ($kind)', (topology) => {
  const sides: Pick<LockKind, 'topology' | 'heldBy' | 'anotherKind' | 'parts'> = {
    topology,
    heldBy: asWriter,
    anotherKind: asPlain,
    parts: topology.kind === 'single' ? 'all' : 'servers',
  }

  describe('to write', () => {
    lockContract({ ...sides, getLock: kinds.write, kindName: 'write' })
  })

  describe('to read', () => {
    lockContract({ ...sides, getLock: kinds.read, getRival: kinds.write, kindName: 'read' })
  })
})
