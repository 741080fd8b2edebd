import type { RunningNode } from '../../test/support/launch/topology.js'
import { startProxy, type TcpProxy } from '../../test/support/proxy.js'
import { startMasters } from '../../test/support/servers.js'
import type { Arena } from './arena.js'
import { untilAllAnswer } from './until-all-answer.js'

/** Servers that know nothing of each other, and have every write on disk before they confirm it. */
export async function startIndependentArena(count: number): Promise<Arena> {
  const masters = await startMasters(count, { durability: 'every write' })
  const doors = new Map<RunningNode, TcpProxy>()
  for (const node of masters.nodes) doors.set(node, await startProxy(node))
  const proxies = [...doors.values()]
  return {
    nodes: masters.nodes,
    proxyOf: (node) => doors.get(node) as TcpProxy,
    connections: proxies.map(({ host, port }) => ({
      singleServerConfig: { address: `redis://${host}:${port}` },
    })),
    homesOf: () => Promise.resolve(masters.nodes),
    untilCalm: () => untilAllAnswer(masters.nodes),
    stop: async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await masters.stop()
    },
  }
}
