import type { Redis } from 'ioredis'
import { loadPeer } from '../peers/load-peer.js'
import { connectEach, quitEach } from './connect.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingBut } from './nothing-but.js'
import { KEY_LIMITS, type KeyLimits } from './values.js'

/** What is used of rate-limiter-flexible. */
interface Flexible {
  readonly RateLimiterRedis: new (options: {
    readonly storeClient: Redis
    readonly keyPrefix: string
    readonly points: number
    readonly duration: number
  }) => { consume(key: string): Promise<unknown> }
}

export const rateLimiterFlexible: NodeContender = {
  name: 'rate-limiter-flexible',
  packageName: 'rate-limiter-flexible',
  settings: 'on ioredis, with fixed windows, as it has no others',
  cannot: nothingBut('key-limits', 'rate-limiter-flexible limits keys'),
  workloads: ['key-limits'],

  async open(servers) {
    const { RateLimiterRedis } = await loadPeer<Flexible>('rate-limiter-flexible')
    const clients = await connectEach([firstOf(servers)])
    const [storeClient] = clients as [Redis]
    const limiterOf = (name: keyof typeof KEY_LIMITS) => {
      const { perMs, burst } = KEY_LIMITS[name]
      const keyPrefix = `flexible:${name}`
      return new RateLimiterRedis({ storeClient, keyPrefix, points: burst, duration: perMs / 1000 })
    }
    const limiters = { open: limiterOf('open'), full: limiterOf('full') }
    const keyLimits: KeyLimits = {
      consume: (name, key) => limiters[name].consume(key).then(() => true, ifRefused),
    }
    return { takes: {}, values: { keyLimits }, close: () => quitEach(clients) }
  },
}

/** It rejects with what is left, which is no error. */
function ifRefused(reason: unknown): false {
  if (reason instanceof Error) throw reason
  return false
}
