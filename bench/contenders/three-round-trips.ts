import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Release } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingButLocks } from './nothing-but-locks.js'

/**
 * The bound of flows that pass a lock on inside one process: one round trip from each to the next, beside the GET and the SET
 * of a section. A PING stands for it; the flows take turns by promises alone.
 */
export const threeRoundTrips: NodeContender = {
  name: 'three round trips',
  settings: 'flows in a line, one PING from each to the next, and no lock in Redis',
  cannot: nothingButLocks('it excludes the flows of one process and nothing else'),

  async open(servers) {
    const clients = await connectEach(servers.slice(0, 1))
    const redis = firstOf(clients)
    let last: Promise<unknown> = Promise.resolve()

    const lock = async (): Promise<Release> => {
      const { promise: done, resolve: end } = Promise.withResolvers<undefined>()
      const before = last
      last = done
      await before
      return async () => {
        await redis.ping()
        end(undefined)
      }
    }
    return { takes: { lock }, close: () => quitEach(clients) }
  },
}
