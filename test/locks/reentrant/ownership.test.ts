import { describe } from 'vitest'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { single, slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('who holds a lock ($kind)', (topology) => {
  const parts = topology === single ? 'all' : 'servers'
  ownershipContract({ topology, getLock: (client, name) => client.getLock(name), parts })
})
