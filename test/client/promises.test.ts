import { createHook } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { single } from '../support/topologies.js'

/** Makes what a call needs, and returns the call. */
type Prepare = (client: RedissonClient) => Promise<() => Promise<unknown>>

/**
 * How many promises a call makes that waits for nothing but replies. Each is garbage after a moment, and one more turn before the caller goes on:
 * the count is what the layers of a call cost.
 */
const calls: readonly (readonly [what: string, most: number, prepare: Prepare])[] = [
  [
    'get() of a bucket',
    7,
    async (client) => {
      const bucket = client.getBucket('promises:bucket')
      await bucket.set(1)
      return () => bucket.get()
    },
  ],
  [
    'getOrLoad() of a cache, of what Redis has',
    15,
    async (client) => {
      const cache = client.getCache('promises:cache', { ttlMs: 60_000 })
      await cache.set('key', 1)
      return () => cache.getOrLoad('key', () => 2)
    },
  ],
  [
    'consume() of a limiter',
    9,
    async (client) => {
      const settings = { algorithm: 'gcra', limit: 1_000, perMs: 1 } as const
      const limiter = client.getRateLimiter('promises:limiter', settings)
      await limiter.consume('key')
      return () => limiter.consume('key')
    },
  ],
  [
    'acquire() and unlock() of a free lock',
    32,
    async (client) => {
      const lock = client.getLock('promises:lock')
      await (await lock.acquire()).unlock()
      return async () => {
        await (await lock.acquire()).unlock()
      }
    },
  ],
  [
    'lock() and unlock() of a free lock',
    36,
    async (client) => {
      const lock = client.getLock('promises:plain')
      await lock.lock()
      await lock.unlock()
      return async () => {
        await lock.lock()
        await lock.unlock()
      }
    },
  ],
  [
    'withLock() of a free lock',
    38,
    async (client) => {
      const lock = client.getLock('promises:scoped')
      await lock.withLock(() => undefined)
      return () => lock.withLock(() => undefined)
    },
  ],
]

/** Promises of a call. Another one may be made meanwhile in the background, so the least of some calls counts. */
async function promisesOf(call: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 20; round += 1) {
    let count = 0
    const hook = createHook({
      init: (_, type) => {
        if (type === 'PROMISE') count += 1
      },
    }).enable()
    try {
      await call()
    } finally {
      hook.disable()
    }
    least = Math.min(least, count)
  }
  return least
}

describe('promises', () => {
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterAll(async () => {
    await client.getKeys().deleteByPattern('*promises:*')
    await client.shutdown()
  })

  it.each(calls)('%s makes at most %i', async (_, most, prepare) => {
    const call = await prepare(client)
    expect(await promisesOf(call)).toBeLessThanOrEqual(most)
  })
})
