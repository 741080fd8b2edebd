import { proxied } from '../../test/support/proxied.js'
import { startSingle } from '../../test/support/servers.js'
import type { Arena } from './arena.js'
import { untilAllAnswer } from './until-all-answer.js'

/** One server, that has every write on disk before it confirms it. */
export async function startSingleArena(): Promise<Arena> {
  const server = await startSingle({ durability: 'every write' })
  const doors = await proxied(server)
  return {
    nodes: server.nodes,
    proxyOf: (node) => doors.proxyOf(node),
    connections: [doors.options()],
    homesOf: () => Promise.resolve(server.nodes),
    untilCalm: () => untilAllAnswer(server.nodes),
    stop: async () => {
      await doors.stop()
      await server.stop()
    },
  }
}
