import { Redisson } from 'ioredisson'
import { keys } from '../keys.js'
import type { Locking, Tools } from './locking.js'

/** The lock of this library: renewed while its owner lives and works, free soon after it has died. */
export async function rlock({ settings, redis, books }: Tools): Promise<Locking> {
  const { host, port } = settings.redis
  const client = await Redisson.create({
    singleServerConfig: { address: `redis://${host}:${String(port)}` },
    lockWatchdogTimeout: settings.leaseMs,
  })
  const lock = client.getLock(keys.lock)
  return (sell) =>
    lock.withLock(async ({ owner }) => {
      try {
        return await sell()
      } finally {
        const [found = null] = await redis.hkeys(keys.lock) // the lock is a hash of owners
        await books.released(owner, found)
      }
    })
}
