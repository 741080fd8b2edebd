import { askAll } from './ask-all.js'
import { eventually } from './eventually.js'
import type { ServerNode, Topology } from './launch/topology.js'

/** Sentinels talk to each other on this one. */
const NOT_OURS = '__sentinel__:hello'

/** The channels that have listeners, ordinary and sharded ones. */
export async function channelsOf({ nodes }: Topology<ServerNode>): Promise<readonly string[]> {
  const found = await askAll(nodes, async (node) => [
    ...((await node.command('PUBSUB', 'CHANNELS', '*')) as string[]),
    ...((await node.command('PUBSUB', 'SHARDCHANNELS', '*').catch(() => [])) as string[]), // unknown before version 7
  ])
  return [...new Set(found.flat())].filter((name) => name !== NOT_OURS)
}

/** Waits until a client listens on a channel of a lock, or is in its queue, and so waits for the lock. */
export async function untilAwaited(topology: Topology<ServerNode>, lock: string): Promise<void> {
  const traces = async () => [...(await channelsOf(topology)), ...(await queuesOf(topology))]
  await eventually(async () => (await traces()).some((trace) => trace.includes(lock)), {
    what: `a waiter for ${lock}`,
  })
}

/** The queues of fair locks. Only the first waiter of a process listens, and not while the process holds the lock itself. */
async function queuesOf({ nodes }: Topology<ServerNode>): Promise<readonly string[]> {
  const found = await askAll(
    nodes,
    async (node) => (await node.command('KEYS', 'redisson_lock_queue:*')) as string[],
  )
  return found.flat()
}
