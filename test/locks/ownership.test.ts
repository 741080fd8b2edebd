import { describe } from 'vitest'
import { ownershipContract } from '../contracts/ownership.contract.js'
import { topologies } from '../support/topologies.js'

describe.each(topologies)('who holds a lock ($kind)', (topology) => {
  ownershipContract({ topology, getLock: (client, name) => client.getLock(name) })
})
