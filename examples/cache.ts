// A cache: one process of all loads a value, the others wait for it, and a stale value is returned while it is loaded anew.
import { EventEmitter, once } from 'node:events'
import { Redisson } from 'ioredisson'

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const first = await Redisson.create(url)
const second = await Redisson.create(url)

let price = 100
let loads = 0
const fetchPrice = async () => {
  loads += 1
  await new Promise((resolve) => setTimeout(resolve, 50))
  return price
}

const options = { ttlMs: 60_000, staleMs: 600_000, redisTimeoutMs: 5_000 }
const [mine, other] = [
  first.getCache<number>('examples:prices', options),
  second.getCache<number>('examples:prices', options),
]
const calls = Array.from({ length: 20 }, (_, index) =>
  (index % 2 === 0 ? mine : other).getOrLoad('apple', fetchPrice, { tags: ['fruit'] }),
)
console.log(`prices: ${[...new Set(await Promise.all(calls))].join()}, loads: ${loads}`)

price = 120
await mine.expireTag('fruit')
const events = new EventEmitter()
const loaded = once(events, 'loaded')
other.on('loaded', (event) => events.emit('loaded', event))
console.log(`stale: ${await other.getOrLoad('apple', fetchPrice, { tags: ['fruit'] })}`)
await loaded
while ((await mine.get('apple')) === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
console.log(`fresh: ${await mine.get('apple')}, loads: ${loads}`)

await mine.deleteTag('fruit')
console.log(`deleted: ${(await mine.get('apple')) === undefined}`)

await mine.delete('apple')
await Promise.all([first.shutdown(), second.shutdown()])
