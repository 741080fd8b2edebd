import type { TopologyName } from '../history.js'
import { freezeClient, killClient, stallClient } from './client.js'
import { killMaster, killMasterAhead, killReplica, plannedFailover } from './failover.js'
import type { Fault } from './fault.js'
import { moveSlot } from './move-slot.js'
import { cut, delay, lostReplies, refuse, stall } from './network.js'
import { freezeServer, killServer, sleepyServer } from './server.js'

const FAULTS: readonly Fault[] = [
  ...[cut, refuse, stall, lostReplies, delay],
  ...[killServer, freezeServer, sleepyServer],
  ...[plannedFailover, killMaster, killMasterAhead, killReplica, moveSlot],
  ...[stallClient, freezeClient, killClient],
]

/** All that can be done to a topology. */
export function faultsFor(topology: TopologyName): readonly Fault[] {
  return FAULTS.filter(({ suits }) => suits.includes(topology))
}
