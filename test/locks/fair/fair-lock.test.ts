import { describe } from 'vitest'
import { lockContract } from '../../contracts/lock.contract.js'
import { slottedTopologies } from '../../support/topologies.js'

describe.each(slottedTopologies)('a fair lock ($kind)', (topology) => {
  const parts = topology.kind === 'single' ? 'all' : 'servers'
  lockContract({ topology, getLock: (client, name) => client.getFairLock(name), kindName: 'fair', parts })
})
