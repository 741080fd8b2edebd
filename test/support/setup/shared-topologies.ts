import type { TestProject } from 'vitest/node'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { askEach } from '../launch/ask-each.js'
import { theLauncher } from '../launch/choose-launcher.js'
import type { Topology } from '../launch/topology.js'
import { startCluster, startSentinel, startSingle } from '../servers.js'
import type { SharedAddresses } from '../topologies.js'

/**
 * Long enough that no master of the shared topologies ever counts as gone because the machine is busy. Failovers that
 * are asked for work all the same.
 */
const PATIENCE_MS = 60_000

/**
 * Starts the topologies that all test files use, a set for every worker; they end with the run. The first project that needs them starts
 * them, and the others use the same: a worker has its number among those of all projects.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject()
  if ('sharedTopologies' in root.getProvidedContext()) return undefined
  const startedAt = performance.now()
  const { description } = await theLauncher()
  const workers = project.config.maxWorkers
  const sets = await Promise.all(Array.from({ length: workers }, startSet))
  root.provide(
    'sharedTopologies',
    sets.map(({ addresses }) => addresses),
  )
  const tookMs = Math.round(performance.now() - startedAt)
  project.vitest.logger.log(`${description}: ${workers} × 3 topologies in ${tookMs} ms`)
  return async () => {
    await Promise.all(sets.flatMap(({ started }) => started.map((topology) => topology.stop())))
  }
}

async function startSet(): Promise<{ addresses: SharedAddresses; started: readonly Topology[] }> {
  const [single, sentinel, cluster] = await Promise.all([
    startSingle(),
    startSentinel(),
    startCluster({ nodeTimeoutMs: PATIENCE_MS }),
  ])
  const { masterName } = sentinel
  await askEach(sentinel.sentinels, 'SENTINEL', 'SET', masterName, 'down-after-milliseconds', PATIENCE_MS)
  const addresses: SharedAddresses = {
    single: address(single.nodes[0]),
    sentinel: {
      masterName,
      nodes: sentinel.nodes.map(address),
      sentinels: sentinel.sentinels.map(address),
    },
    cluster: cluster.nodes.map(address),
  }
  return { addresses, started: [single, sentinel, cluster] }
}

function address({ host, port }: HostAndPort): HostAndPort {
  return { host, port }
}
