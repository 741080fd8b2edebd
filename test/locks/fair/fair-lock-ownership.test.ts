import { describe } from 'vitest'
import { ownershipContract } from '../../contracts/ownership.contract.js'
import { cluster, single } from '../../support/topologies.js'

describe.each([single, cluster])('who holds a fair lock ($kind)', (topology) => {
  const parts = topology === single ? 'all' : 'servers in deep'
  ownershipContract({
    topology,
    getLock: (client, name) => client.getFairLock(name),
    kindName: 'fair',
    parts,
  })
})
