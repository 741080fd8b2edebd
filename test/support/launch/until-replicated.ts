import type { ServerNode } from './topology.js'

const REPLICATED_WITHIN_MS = 30_000

/**
 * Resolves when a write on an empty master reaches that number of replicas. That they are connected is not enough: the stream
 * of writes begins with their first acknowledgement, which takes up to a second.
 *
 * @throws Error if it does not come to that
 */
export async function untilReplicated(master: ServerNode, replicas: number): Promise<void> {
  const deadline = performance.now() + REPLICATED_WITHIN_MS
  for (;;) {
    await master.command('FLUSHALL') // a write that needs no key, and so no slot
    const reached = Number(await master.command('WAIT', replicas, 2_000))
    if (reached >= replicas) return
    if (performance.now() > deadline) throw new Error(`Expected ${replicas} replicas, got ${reached}`)
  }
}
