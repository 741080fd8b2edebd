import type { Redis } from 'ioredis'
import { connectEach, quitEach } from './connect.js'
import { PERMITS, type NodeContender, type Release } from './contender.js'
import { noRateLimiter } from './no-rate-limiter.js'
import { firstOf } from './first-of.js'
import { loadPeer } from '../peers/load-peer.js'

/** What is used of the package. */
interface RedisSemaphore {
  readonly Mutex: new (redis: Redis, name: string, options: Options) => Taken
  readonly Semaphore: new (redis: Redis, name: string, permits: number, options: Options) => Taken
  readonly RedlockMutex: new (clients: Redis[], name: string, options: Options) => Taken
}
interface Options {
  readonly acquireTimeout: number
  readonly lockTimeout: number
}
interface Taken {
  acquire(): Promise<void>
  release(): Promise<void>
}

export const redisSemaphore: NodeContender = {
  name: 'redis-semaphore',
  packageName: 'redis-semaphore',
  settings:
    'acquireTimeout Infinity instead of 10 s, lockTimeout as long as the leases of others; retryInterval 10 ms as it is. It renews all that is held',
  cannot: {
    ...noRateLimiter,
    'fair-lock': 'there is none',
    'read-lock': 'there is none',
    'fenced-lock': 'there is none',
  },

  async open(servers, { leaseMs }) {
    const { Mutex, Semaphore, RedlockMutex } = await loadPeer<RedisSemaphore>('redis-semaphore')
    const clients = await connectEach(servers)
    const redis = firstOf(clients)
    const options = { acquireTimeout: Infinity, lockTimeout: leaseMs }

    const lock = (name: string): Promise<Release> => take(new Mutex(redis, name, options))
    return {
      takes: {
        lock,
        'renewed-lock': lock,
        semaphore: (name) => take(new Semaphore(redis, name, PERMITS, options)),
        'red-lock': (name) => take(new RedlockMutex(clients, name, options)),
      },
      close: () => quitEach(clients),
    }
  },
}

async function take(taken: Taken): Promise<Release> {
  await taken.acquire()
  return () => taken.release()
}
