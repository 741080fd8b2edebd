import type { ServerNode } from '../../test/support/launch/topology.js'

/** Demands that a server is a master with that number of up-to-date replicas. */
export async function demandFollowers(master: ServerNode, count: number): Promise<void> {
  const facts = String(await master.command('INFO', 'replication'))
  const followers = facts.match(/^slave\d+:.*state=online/gm)?.length ?? 0
  if (facts.includes('role:master') && followers === count) return
  throw new Error(`Expected a master with ${count} replicas in step, got ${facts}`)
}
