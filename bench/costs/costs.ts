import { Redis } from 'ioredis'
import type { RunningNode } from '../../test/support/launch/topology.js'
import { cases } from './cases.js'
import { bestOf, dearer } from './dearer.js'
import { sectionCosts, type SectionCost } from './in-client.js'
import { scriptCosts, type ScriptCost } from './in-redis.js'
import { REFERENCE } from './reference.js'

/** The name of what is measured here, beside the workloads. */
export const COSTS = 'costs'

/** Rounds of each script for a round of the contenders. One takes some milliseconds, and the best of them counts. */
const ROUNDS = 8

/** More rounds than that are needed, however few there are of the contenders. */
const LEAST_ROUNDS = 30

const LEASE_MS = 30_000

/** What calls cost, in Redis and in the client. */
export interface Costs {
  readonly scripts: readonly ScriptCost[]
  readonly sections: readonly SectionCost[]
}

/** Measures what calls cost, at a server of its own. */
export async function measureCosts(
  node: RunningNode,
  rounds: number,
  onCase: (name: string) => void,
): Promise<Costs> {
  const { Redisson } = await import('ioredisson') // its build is only needed here
  const { host, port } = node
  const redis = new Redis({ host, port })
  const client = await Redisson.create({
    singleServerConfig: { address: `redis://${host}:${String(port)}` },
    lockWatchdogTimeout: LEASE_MS,
  })
  try {
    const turns = Math.max(ROUNDS * rounds, LEAST_ROUNDS)
    const at = { client, redis, node }
    const first = await scriptCosts(at, cases, { rounds: turns, onCase })
    // Something else may have run on the machine all the while.
    const doubtful = dearer(first, REFERENCE)
    const again = cases.filter((each) => doubtful.some(({ name }) => name.startsWith(`${each.name}, `)))
    const scripts = bestOf(first, await scriptCosts(at, again, { rounds: turns, onCase }))
    onCase('sections')
    return { scripts, sections: await sectionCosts({ client, node, leaseMs: LEASE_MS }, turns) }
  } finally {
    await client.shutdown()
    redis.disconnect()
  }
}
