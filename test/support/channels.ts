import { askAll } from './ask-all.js'
import { eventually } from './eventually.js'
import type { ServerNode, Topology } from './launch/topology.js'

/** Sentinels talk to each other on this one. */
const NOT_OURS = '__sentinel__:hello'

/** The channels that somebody listens to, ordinary and sharded ones. */
export async function channelsOf({ nodes }: Topology<ServerNode>): Promise<readonly string[]> {
  const found = await askAll(nodes, async (node) => [
    ...((await node.command('PUBSUB', 'CHANNELS', '*')) as string[]),
    ...((await node.command('PUBSUB', 'SHARDCHANNELS', '*').catch(() => [])) as string[]), // unknown before version 7
  ])
  return [...new Set(found.flat())].filter((name) => name !== NOT_OURS)
}

/** Waits until somebody listens on a channel of a lock, and so waits for the lock. */
export async function untilSomebodyWaits(topology: Topology<ServerNode>, lock: string): Promise<void> {
  await eventually(async () => (await channelsOf(topology)).some((channel) => channel.includes(lock)), {
    what: `a waiter for ${lock}`,
  })
}
