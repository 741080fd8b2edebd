import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { keys } from '../keys.js'

const SHORTEST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 15

/** Polls for a lock, since there is no message when it becomes free. */
export async function poll(take: () => Promise<boolean>): Promise<void> {
  while (!(await take())) {
    await sleep(SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS))
  }
}

/** Deletes the lock of any owner, as `DEL` does. Returns the owner, for the books. */
export async function deleteLock(redis: Redis): Promise<string | null> {
  const replies = await redis.multi().get(keys.lock).del(keys.lock).exec()
  return (replies?.[0]?.[1] ?? null) as string | null
}
