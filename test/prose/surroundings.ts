import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type RedissonClient } from '../../src/index.js'

export { Redisson } from '../../src/index.js'

/** A client that is connected. Snippets that make none of their own mean this one. */
export const client: RedissonClient = await Redisson.create(process.env['REDIS_URL'] ?? '')

/** Stands for a critical section. It ends early when its signal aborts. */
export async function work(signal?: AbortSignal): Promise<void> {
  await sleep(5, undefined, signal && { signal })
}
