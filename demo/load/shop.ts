import { Redis } from 'ioredis'
import { Redisson, type HostAndPort } from 'ioredisson'
import { serve, type Answer } from '../shop/serve.js'
import { keys, ORDER } from './keys.js'

// A shop under load: a process of its own. Every order acquires and releases the lock.
const { redis: server } = JSON.parse(process.argv[2] ?? '') as { readonly redis: HostAndPort }
const redis = new Redis(server)
const client = await Redisson.create({
  singleServerConfig: { address: `redis://${server.host}:${String(server.port)}` },
})
const lock = client.getLock(keys.lock)

await serve(() => lock.withLock(takeOrder))

/** Reads three counters and writes them back: correct only without concurrent orders. */
async function takeOrder(): Promise<Answer> {
  const [sku1 = 0, sku2 = 0, orders = 0] = (await redis.mget(keys.sku1, keys.sku2, keys.orders)).map(Number)
  if (sku1 < ORDER.sku1 || sku2 < ORDER.sku2) return 'sold-out'
  await redis.mset(keys.sku1, sku1 - ORDER.sku1, keys.sku2, sku2 - ORDER.sku2, keys.orders, orders + 1)
  return 'sold'
}
