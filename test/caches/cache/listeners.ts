import type { RedissonClient } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'

/**
 * Waits until this client knows that it listens to the messages of a cache, and has dropped what it read before. The confirmation of another channel of
 * that node, which it requests later, comes after that.
 */
export async function untilItListens(client: RedissonClient, cache: string): Promise<void> {
  const later = client.getTopic(`later:{${cache}}`)
  await using _ = await later.addListener(() => undefined)
}

/** Waits until a client listens to the messages of a cache: one that waits for a load, or has entries in memory. */
export async function untilListening({ nodes }: Topology<ServerNode>, cache: string): Promise<void> {
  await eventually(async () => {
    const asked = nodes.map((node) => node.command('PUBSUB', 'NUMSUB', `ioredisson_cache:{${cache}}`))
    return (await Promise.all(asked)).some((count) => Number((count as unknown[])[1]) > 0)
  })
}
