import { eventually } from '../../test/support/eventually.js'
import { askEach } from '../../test/support/launch/ask-each.js'
import type { ServerNode } from '../../test/support/launch/topology.js'

/** Resolves when every server answers. */
export async function untilAllAnswer(nodes: readonly ServerNode[]): Promise<void> {
  await eventually(() => askEach(nodes, 'PING'), { what: 'all servers to answer', withinMs: 30_000 })
}
