import { randomUUID } from 'node:crypto'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { COMPARE_AND_DELETE } from './floor.js'
import { nothingButLocks } from './nothing-but-locks.js'

const ACQUIRE = `return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])`

interface Scripts {
  acquire(key: string, token: string, leaseMs: number): Promise<'OK' | null>
  release(key: string, token: string): Promise<number>
}

/** The floor of many locks at once: two raw scripts each, all on one connection, none waiting for another's answer. */
export const scriptPair: NodeContender = {
  name: 'two scripts',
  settings: 'EVALSHA to set and EVALSHA to delete, without contention',
  cannot: nothingButLocks('the floor is a pair of scripts'),

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
