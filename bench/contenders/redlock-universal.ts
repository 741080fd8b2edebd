import type { Redis } from 'ioredis'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Take } from './contender.js'
import { noRateLimiter } from './no-rate-limiter.js'
import { firstOf } from './first-of.js'
import { loadPeer } from '../peers/load-peer.js'
import { takeByUsing } from './take-by-using.js'

/** What is used of the package. */
interface RedlockUniversal {
  readonly IoredisAdapter: new (redis: Redis) => object
  readonly createLock: (config: Config & { readonly adapter: object }) => Lock
  readonly createRedlock: (config: Config & { readonly adapters: readonly object[] }) => Lock
}
interface Config {
  readonly key: string
  readonly ttl: number
  readonly retryAttempts: number
}
interface Lock {
  acquire(): Promise<object>
  release(handle: object): Promise<unknown>
  using(work: () => Promise<void>): Promise<void>
}

/** It takes whole numbers only; no run has this many tries. */
const FOR_EVER = 1_000_000

export const redlockUniversal: NodeContender = {
  name: 'redlock-universal',
  packageName: 'redlock-universal',
  settings:
    'retryAttempts 1 000 000 instead of 3; retryDelay 100 ms (200 ms for several masters) as it is, one lock object for each name. It renews in `using` alone, so only where renewal is measured',
  cannot: {
    ...noRateLimiter,
    'fair-lock': 'there is none',
    'read-lock': 'there is none',
    'fenced-lock': 'there is none',
    semaphore: 'there is none',
  },

  async open(servers, { leaseMs }) {
    const { IoredisAdapter, createLock, createRedlock } =
      await loadPeer<RedlockUniversal>('redlock-universal')
    const clients = await connectEach(servers)
    const adapters = clients.map((redis) => new IoredisAdapter(redis))
    const config = (key: string): Config => ({ key, ttl: leaseMs, retryAttempts: FOR_EVER })

    const locks = oneForEachName((name) => createLock({ adapter: firstOf(adapters), ...config(name) }))
    const redLocks = oneForEachName((name) => createRedlock({ adapters, ...config(name) }))
    return {
      takes: {
        lock: taking(locks),
        'renewed-lock': (name) => takeByUsing((work) => locks(name).using(work)),
        'red-lock': taking(redLocks),
      },
      close: () => quitEach(clients),
    }
  },
}

function oneForEachName(create: (name: string) => Lock): (name: string) => Lock {
  const made = new Map<string, Lock>()
  return (name) => {
    const lock = made.get(name) ?? create(name)
    made.set(name, lock)
    return lock
  }
}

function taking(lockOf: (name: string) => Lock): Take {
  return async (name) => {
    const lock = lockOf(name)
    const handle = await lock.acquire()
    return () => lock.release(handle)
  }
}
