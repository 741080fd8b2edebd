import { randomUUID } from 'node:crypto'
import { keys } from '../keys.js'
import type { Locking, Tools } from './locking.js'
import { deleteLock, poll } from './polling.js'

/** The lock and its end are one command. The release deletes any lock that it finds. */
export function setNxPx({ settings, redis, books }: Tools): Locking {
  return async (sell) => {
    const token = randomUUID()
    await poll(async () => (await redis.set(keys.lock, token, 'PX', settings.leaseMs, 'NX')) === 'OK')
    try {
      return await sell()
    } finally {
      await books.released(token, await deleteLock(redis))
    }
  }
}
