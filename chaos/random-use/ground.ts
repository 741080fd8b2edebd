import type { RedissonOptions } from '../../src/index.js'
import type { ClientTopology, RunningNode } from '../../test/support/launch/topology.js'
import { proxied } from '../../test/support/proxied.js'
import type { TcpProxy } from '../../test/support/proxy.js'
import { startCluster, startSentinel, startSingle } from '../../test/support/servers.js'
import { Others, type Other } from './others.js'

export const GROUNDS = ['single', 'sentinel', 'cluster'] as const
export type GroundName = (typeof GROUNDS)[number]

/** Servers that stay well, behind proxies that may not. */
export interface RandomGround extends AsyncDisposable {
  readonly name: GroundName
  /** The servers that hold the data. */
  readonly masters: readonly RunningNode[]
  readonly proxies: readonly TcpProxy[]
  /** What clients need to connect through the proxies. */
  readonly options: RedissonOptions
  /** What clients need to connect past them. */
  readonly direct: RedissonOptions
  /** Servers beside them, each of which stands for itself. */
  readonly others: Others
}

/** All servers that a round has. */
export interface Stage {
  readonly masters: readonly RunningNode[]
  readonly proxies: readonly TcpProxy[]
  readonly others: readonly Other[]
}

export async function stageOf(ground: RandomGround, otherServers: number): Promise<Stage> {
  const others = await ground.others.take(otherServers)
  return {
    masters: [...ground.masters, ...others.map(({ node }) => node)],
    proxies: [...ground.proxies, ...others.map(({ proxy }) => proxy)],
    others,
  }
}

/** Also on a busy machine no waiter may count as dead. */
const PATIENCE_MS = 60_000

export async function startGround(name: GroundName): Promise<RandomGround> {
  const servers = await startServers(name)
  const doors = await proxied(servers)
  const others = new Others()
  const masters =
    name === 'cluster' ? servers.nodes.slice(0, servers.nodes.length / 2) : servers.nodes.slice(0, 1)
  return {
    name,
    masters,
    proxies: doors.proxies,
    options: doors.options(),
    direct: servers.options(),
    others,
    [Symbol.asyncDispose]: async () => {
      await others[Symbol.asyncDispose]()
      await doors.stop()
      await servers.stop()
    },
  }
}

function startServers(name: GroundName): Promise<ClientTopology> {
  switch (name) {
    case 'single':
      return startSingle()
    case 'sentinel':
      return startSentinel({ sentinels: 1, downAfterMs: PATIENCE_MS })
    case 'cluster':
      return startCluster({ nodeTimeoutMs: PATIENCE_MS })
  }
}
