import { describe } from 'vitest'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { everyTopology } from '../../support/topologies.js'

describe.each(everyTopology)('who holds a lock ($kind)', (topology) => {
  ownershipContract({ topology, getLock: (client, name) => client.getLock(name) })
})
