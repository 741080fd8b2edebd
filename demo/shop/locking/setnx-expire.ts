import { randomUUID } from 'node:crypto'
import { keys } from '../keys.js'
import type { Locking, Tools } from './locking.js'
import { deleteLock, poll } from './polling.js'

/** The lock ends by itself, if its owner lives long enough to say when. */
export function setnxExpire({ settings, redis, books, mishaps }: Tools): Locking {
  return async (sell) => {
    const token = randomUUID()
    await poll(async () => (await redis.setnx(keys.lock, token)) === 1)
    await mishaps.at('taking-the-lock')
    await redis.expire(keys.lock, settings.leaseMs / 1000)
    try {
      return await sell()
    } finally {
      await books.released(token, await deleteLock(redis))
    }
  }
}
