import { Redisson } from '../src/index.js'
import type { Arena } from './arena/arena.js'

/** Brings semaphores into being. */
export async function setPermits(
  { connections: [connection] }: Arena,
  names: readonly string[],
  permits: number,
): Promise<void> {
  if (connection === undefined) throw new RangeError('Expected a way to connect, got none')
  await using client = await Redisson.create(connection)
  for (const name of names) await client.getPermitExpirableSemaphore(name).setPermits(permits)
}
