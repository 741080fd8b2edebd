// Calls of an API from many processes: at most two at a time, in the order of their priority.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const limiter = client.getWorkLimiter('examples:work', {
  concurrency: 2,
  rate: { limit: 1_000, perMs: 1_000 },
})

let running = 0
let most = 0

/** What calls the API. */
const call = limiter.wrap(async ({ signal }, what: string) => {
  running += 1
  most = Math.max(most, running)
  await sleep(20, undefined, { signal })
  running -= 1
  return what
})

console.log((await Promise.all(['a', 'b', 'c', 'd', 'e'].map(call))).join(' '))
console.log('at the same time:', most)

// Both places are taken. What is urgent begins before what came first.
const begun: string[] = []
const busy = [call('f'), call('g')]
await sleep(5)
const usual = limiter.run(() => begun.push('usual'))
const urgent = limiter.run(() => begun.push('urgent'), { priority: 10 })
await Promise.all([...busy, usual, urgent])
console.log(begun.join(', '))

await limiter.reset()
await client.shutdown()
