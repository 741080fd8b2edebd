import { describe } from 'vitest'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('who holds a lock ($kind)', (topology) => {
  ownershipContract({ topology, getLock: (client, name) => client.getLock(name) })
})
