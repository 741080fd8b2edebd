import { randomUUID } from 'node:crypto'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { COMPARE_AND_DELETE } from './floor.js'

const ACQUIRE = `return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])`

const NOT_HERE = 'the floor is a pair of scripts'

interface Scripts {
  acquire(key: string, token: string, leaseMs: number): Promise<'OK' | null>
  release(key: string, token: string): Promise<number>
}

/** The floor of many locks at once: two raw scripts each, all on one connection, none waiting for another's answer. */
export const scriptPair: NodeContender = {
  name: 'two scripts',
  settings: 'EVALSHA to set and EVALSHA to delete, of what nobody else wants',
  cannot: {
    'renewed-lock': NOT_HERE,
    'fair-lock': NOT_HERE,
    'read-lock': NOT_HERE,
    'fenced-lock': NOT_HERE,
    semaphore: NOT_HERE,
    'red-lock': NOT_HERE,
  },

  async open(servers, { leaseMs }) {
    const clients = await connectEach(servers.slice(0, 1))
    const redis = firstOf(clients)
    redis.defineCommand('acquire', { numberOfKeys: 1, lua: ACQUIRE })
    redis.defineCommand('release', { numberOfKeys: 1, lua: COMPARE_AND_DELETE })
    const scripts = redis as unknown as Scripts

    const lock = async (name: string): Promise<() => Promise<unknown>> => {
      const token = randomUUID()
      if ((await scripts.acquire(name, token, leaseMs)) === null)
        throw new Error(`Expected ${name} to be free, but it is taken`)
      return () => scripts.release(name, token)
    }
    return { takes: { lock }, close: () => quitEach(clients) }
  },
}
