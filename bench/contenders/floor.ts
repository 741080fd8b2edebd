import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Release } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingButLocks } from './nothing-but-locks.js'

const BETWEEN_TRIES_MS = 30

/** Deletes what is still one's own. */
export const COMPARE_AND_DELETE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

/** The usual first attempt: the least that a lock can cost, without anything else that a lock needs. */
export const floor: NodeContender = {
  name: 'floor',
  settings: `SET NX PX and a script that compares and deletes; ${String(BETWEEN_TRIES_MS)} ms between tries`,
  cannot: { ...nothingButLocks('the floor is a plain lock'), 'renewed-lock': 'it has no renewal' },

  async open(servers, { leaseMs }) {
    const clients = await connectEach(servers.slice(0, 1))
    const redis = firstOf(clients)
    redis.defineCommand('release', { numberOfKeys: 1, lua: COMPARE_AND_DELETE })
    const scripts = redis as unknown as { release(key: string, token: string): Promise<number> }

    const lock = async (name: string): Promise<Release> => {
      const token = randomUUID()
      while ((await redis.set(name, token, 'PX', leaseMs, 'NX')) === null) await sleep(BETWEEN_TRIES_MS)
      return () => scripts.release(name, token)
    }
    return { takes: { lock }, close: () => quitEach(clients) }
  },
}
