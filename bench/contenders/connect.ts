import { Redis } from 'ioredis'
import type { HostAndPort } from 'ioredisson'

/** Connects a client of ioredis, with its default settings, to each of some servers. */
export async function connectEach(servers: readonly HostAndPort[]): Promise<Redis[]> {
  return Promise.all(
    servers.map(async ({ host, port }) => {
      const redis = new Redis({ host, port, lazyConnect: true })
      await redis.connect()
      return redis
    }),
  )
}

/** Ends connections. */
export async function quitEach(clients: readonly Redis[]): Promise<void> {
  await Promise.all(clients.map((redis) => redis.quit()))
}
