import { randomUUID } from 'node:crypto'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender, Release } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingButLocks } from './nothing-but-locks.js'

const CHANNEL = 'bench:messages'

const DELETE_AND_TELL = `if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1])
return redis.call('publish', ARGV[2], '')`

interface Scripts {
  release(key: string, token: string, channel: string): Promise<number>
}

/**
 * The floor of hand-overs: a message when the lock is given back, and a try when it arrives. Two round trips of ioredis cost
 * that much, and there is nothing else: no lease is renewed, and who misses a message waits for ever.
 */
export const bareMessages: NodeContender = {
  name: 'bare messages',
  settings:
    'SET NX PX, and a script that deletes and publishes; a waiter tries again when it gets the message',
  cannot: nothingButLocks('bare messages are there for hand-overs alone'),

  async open(servers, { leaseMs }) {
    const clients = await connectEach([firstOf(servers), firstOf(servers)])
    const redis = firstOf(clients)
    const listening = firstOf(clients.slice(1))
    redis.defineCommand('release', { numberOfKeys: 1, lua: DELETE_AND_TELL })
    const scripts = redis as unknown as Scripts
    let news = Promise.withResolvers<void>()
    listening.on('message', () => {
      news.resolve()
      news = Promise.withResolvers()
    })
    await listening.subscribe(CHANNEL)

    const lock = async (name: string): Promise<Release> => {
      const token = randomUUID()
      for (;;) {
        const next = news.promise // from before the try, so that what comes meanwhile is not missed
        if ((await redis.set(name, token, 'PX', leaseMs, 'NX')) !== null) break
        await next
      }
      return () => scripts.release(name, token, CHANNEL)
    }
    return { takes: { lock }, close: () => quitEach(clients) }
  },
}
