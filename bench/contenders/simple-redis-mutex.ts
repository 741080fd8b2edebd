import type { NodeContender, Take } from './contender.js'
import { noRateLimiter } from './no-rate-limiter.js'
import { firstOf } from './first-of.js'
import { loadPeer } from '../peers/load-peer.js'

/** What is used of the package, and of node-redis, which it needs. */
interface SimpleRedisMutex {
  readonly lock: (
    redis: NodeRedis,
    name: string,
    options: { timeout: number },
  ) => Promise<() => Promise<void>>
}
interface NodeRedis {
  connect(): Promise<NodeRedis>
  on(event: 'error', listener: (error: Error) => void): NodeRedis
  close(): Promise<void>
}
interface NodeRedisModule {
  readonly createClient: (options: { socket: { host: string; port: number } }) => NodeRedis
}

export const simpleRedisMutex: NodeContender = {
  name: 'simple-redis-mutex',
  packageName: 'simple-redis-mutex',
  settings: 'on node-redis, which it needs; pollingInterval 10 s as it is. It has no renewal',
  cannot: {
    ...noRateLimiter,
    'renewed-lock': 'it has no renewal',
    'fair-lock': 'there is none',
    'read-lock': 'there is none',
    semaphore: 'there is none',
    'red-lock': 'there is none',
  },

  async open(servers, { leaseMs }) {
    const { lock: takeLock } = await loadPeer<SimpleRedisMutex>('simple-redis-mutex')
    const { createClient } = await loadPeer<NodeRedisModule>('redis')
    const { host, port } = firstOf(servers)
    const redis = createClient({ socket: { host, port } }).on('error', () => undefined)
    await redis.connect()

    const lock: Take = (name) => takeLock(redis, name, { timeout: leaseMs })
    return { takes: { lock, 'fenced-lock': lock }, close: () => redis.close() }
  },
}
