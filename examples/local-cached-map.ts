// A local cached map: prices that two processes read without asking Redis, until one of them changes a price.
import { setTimeout } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const here = await Redisson.create(url)
const there = await Redisson.create(url)
const options = { cacheSize: 1_000, evictionPolicy: 'LRU', ttlMs: 3_600_000 } as const
const prices = here.getLocalCachedMap<string, number>('examples:prices', options)
const others = there.getLocalCachedMap<string, number>('examples:prices', options)

await prices.putAll({ apple: 3, pear: 4 })
await Promise.all([prices.preloadCache(), others.preloadCache()])
console.log(`apple: ${await prices.get('apple')}`)
console.log(`of two, missing: ${(await prices.getAll(['apple', 'plum'])).size === 1}`)

// The other process receives a message, and reads the price again.
await others.put('apple', 5)
while ((await prices.get('apple')) === 3) await setTimeout(1)
console.log(`apple: ${await prices.get('apple')}`)

// After a change by other means, all processes drop what they keep.
await here.getMap<string, number>('examples:prices').put('pear', 6)
console.log(`confirmed by all: ${await prices.clearLocalCache()}`)
console.log(`pear: ${await others.get('pear')}`)

await prices.delete()
await Promise.all([prices.destroy(), others.destroy()])
await Promise.all([here.shutdown(), there.shutdown()])
