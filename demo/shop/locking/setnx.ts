import { randomUUID } from 'node:crypto'
import { keys } from '../keys.js'
import type { Locking, Tools } from './locking.js'
import { deleteLock, poll } from './polling.js'

/** The lock is a key that exists or not. Its creator deletes it, unless it dies first. */
export function setnx({ redis, books }: Tools): Locking {
  return async (sell) => {
    const token = randomUUID()
    await poll(async () => (await redis.setnx(keys.lock, token)) === 1)
    try {
      return await sell()
    } finally {
      await books.released(token, await deleteLock(redis))
    }
  }
}
