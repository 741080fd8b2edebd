import { describe } from 'vitest'
import { lockContract } from '../contracts/lock.contract.js'
import { topologies } from '../support/topologies.js'

describe.each(topologies)('a lock ($kind)', (topology) => {
  lockContract({ topology, getLock: (client, name) => client.getLock(name) })
})
