import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type RedissonClient } from 'ioredisson'

export { Redisson } from 'ioredisson'

/** A client that is connected. Snippets that make none of their own mean this one. */
export const client: RedissonClient = await Redisson.create(process.env['REDIS_URL'] ?? '')

/** Stands for a critical section. It ends early when its signal aborts. */
export async function work(signal?: AbortSignal): Promise<void> {
  await sleep(5, undefined, signal && { signal })
}
